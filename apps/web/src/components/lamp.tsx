import { classes } from './classes.ts'
import styles from './lamp.module.css'

interface LampProps {
  state: 'off' | 'ok' | 'warning' | 'danger'
  /** Color alone tells nothing to some people: the words always stand beside it. */
  label: string
}

/** A panel lamp and what it means. */
export function Lamp({ state, label }: LampProps) {
  return (
    <span className={classes(styles.lamp)} data-state={state}>
      <span aria-hidden="true" className={styles.light} />
      {label}
    </span>
  )
}
