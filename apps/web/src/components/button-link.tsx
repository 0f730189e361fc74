import type { ReactNode } from 'react'
import { Link as AriaLink, type LinkProps as AriaLinkProps } from 'react-aria-components/Link'
import styles from './button.module.css'
import type { ButtonVariant } from './button.tsx'
import { classes } from './classes.ts'
import type { Size } from './types.ts'

interface ButtonLinkProps extends Omit<AriaLinkProps, 'className' | 'style' | 'children' | 'render'> {
  href: string
  variant?: ButtonVariant
  size?: Size
  icon?: ReactNode
  children: ReactNode
}

/** A link that looks like a button: it goes somewhere, it does nothing. */
export function ButtonLink({
  variant = 'secondary',
  size = 'md',
  icon,
  children,
  ...props
}: ButtonLinkProps) {
  return (
    <AriaLink {...props} className={classes(styles.button)} data-variant={variant} data-size={size}>
      {icon}
      <span className={styles.label}>{children}</span>
    </AriaLink>
  )
}
