import { classes } from '../components/classes.ts'
import cables from './cables.module.css'
import styles from './jack.module.css'
import type { ServiceId } from './services.ts'

interface JackProps {
  /** Whose cable is plugged in; an empty jack without it. */
  cable?: ServiceId
  size?: number
}

/** A panel jack seen from the front: nut, bore, and the tip of a cable if one is plugged in. */
export function Jack({ cable, size = 32 }: JackProps) {
  return (
    <svg
      viewBox="0 0 32 32"
      width={size}
      height={size}
      aria-hidden="true"
      data-cable={cable}
      className={classes(styles.jack, cables.cable)}
    >
      <path className={styles.nut} d="M16 1.5 28.6 8.75v14.5L16 30.5 3.4 23.25V8.75Z" />
      <circle className={styles.ring} cx="16" cy="16" r="9.5" />
      <circle className={styles.hole} cx="16" cy="16" r="5" />
    </svg>
  )
}
