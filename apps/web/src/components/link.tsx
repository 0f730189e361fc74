import { ArrowRight, ArrowUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link as AriaLink, type LinkProps as AriaLinkProps } from 'react-aria-components/Link'
import { classes } from './classes.ts'
import styles from './link.module.css'
import { words } from './words.ts'

interface LinkProps extends Omit<AriaLinkProps, 'className' | 'style' | 'children' | 'render'> {
  href: string
  /** `inline` stands in a sentence, `onward` leads on from a block, `quiet` is one of many in a list. */
  variant?: 'inline' | 'onward' | 'quiet'
  /** For addresses the server answers itself: the router must not try to show them. */
  opensNewTab?: boolean
  children: ReactNode
}

export function Link({ variant = 'inline', opensNewTab = false, children, ...props }: LinkProps) {
  const newTab = opensNewTab ? { target: '_blank', rel: 'noreferrer' } : {}
  return (
    <AriaLink {...props} {...newTab} className={classes(styles.link)} data-variant={variant}>
      {children}
      {variant === 'onward' && <ArrowRight aria-hidden className={styles.onward} />}
      {opensNewTab && <ArrowUpRight aria-label={words.link.newTab} className={styles.arrow} />}
    </AriaLink>
  )
}
