import type { ReactNode } from 'react'
import styles from './card.module.css'
import { classes } from './classes.ts'
import type { Size } from './types.ts'

interface CardProps {
  /** `section` and `article` need a heading inside. */
  as?: 'div' | 'section' | 'article' | 'li'
  padding?: Size
  /** `sunken` for what is read, `raised` for what is worked with. */
  surface?: 'raised' | 'sunken'
  children: ReactNode
}

export function Card({ as: Element = 'div', padding = 'md', surface = 'raised', children }: CardProps) {
  return (
    <Element className={classes(styles.card)} data-padding={padding} data-surface={surface}>
      {children}
    </Element>
  )
}
