import { useId } from 'react'
import { classes } from '../components/classes.ts'
import cables from './cables.module.css'
import { Jack } from './jack.tsx'
import type { ServiceId } from './services.ts'
import styles from './unplugged.module.css'

/** An empty jack and, beside it, the cable that will go there. */
export function Unplugged({ cable }: { cable: ServiceId }) {
  const fade = useId()
  return (
    <div aria-hidden="true" data-cable={cable} className={classes(styles.picture, cables.cable)}>
      <Jack size={56} />
      <svg viewBox="0 0 168 56" width="168" height="56">
        <linearGradient id={fade}>
          <stop offset="0.45" stopColor="currentColor" />
          <stop offset="1" stopColor="currentColor" stopOpacity="0" />
        </linearGradient>
        <path className={styles.cable} stroke={`url(#${fade})`} d="M54 28h6c46 0 36 22 108 20" />
        <path className={styles.tip} d="M2 28l3-3.5h4l2 1.5h5v-1.5h10v7H16V30h-5l-2 1.5H5Z" />
        <rect className={styles.tip} x="26" y="20" width="6" height="16" rx="1.5" />
        <path className={styles.plug} d="M32 19h16l7 5v8l-7 5H32Z" />
      </svg>
    </div>
  )
}
