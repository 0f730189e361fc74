import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { classes } from './classes.ts'
import type { Tone } from './types.ts'

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={classes(styles.badge)} data-tone={tone}>
      {children}
    </span>
  )
}
