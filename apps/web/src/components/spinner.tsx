import { classes } from './classes.ts'
import styles from './spinner.module.css'
import type { Size } from './types.ts'

interface SpinnerProps {
  /** Read by a screen reader only. */
  label: string
  size?: Size
}

/** For a wait of unknown length. */
export function Spinner({ label, size = 'md' }: SpinnerProps) {
  return (
    <span className={classes(styles.spinner)} data-size={size}>
      <svg viewBox="0 0 24 24" aria-hidden="true" className={styles.circle}>
        <circle className={styles.track} cx="12" cy="12" r="9" pathLength="100" />
        <circle className={styles.arc} cx="12" cy="12" r="9" pathLength="100" />
      </svg>
      <span className={styles.words}>{label}</span>
    </span>
  )
}
