import cables from '../brand/cables.module.css'
import { classes } from '../components/classes.ts'
import styles from './plate.module.css'

export type PlateState = 'open' | 'plugged' | 'pulled'

const NUT = 'M20 1.5 36 10.75v18.5L20 38.5 4 29.25v-18.5Z'
const CABLE = {
  /** The plug waits before the jack. */
  open: 'M20 20C20 62 74 78 88 44q4-10 16-10',
  plugged: 'M20 20C40 78 188 78 208 20',
  /** It hangs. */
  pulled: 'M20 20C20 58 60 74 80 66q14-5 20-2',
} as const satisfies Record<PlateState, string>
const PLUG_AT = { open: 'translate(104 34) rotate(-8)', pulled: 'translate(100 64) rotate(14)' }

/** The strip on top of a sheet: two jacks, and where the cable between them is. */
export function Plate({ state }: { state: PlateState }) {
  return (
    <div aria-hidden="true" className={styles.plate}>
      <svg
        viewBox="0 0 228 84"
        width="228"
        height="84"
        data-cable="identity"
        className={classes(cables.cable)}
      >
        <Socket x={0} />
        <Socket x={188} />
        <path className={styles.shade} d={CABLE[state]} />
        <path className={styles.cable} d={CABLE[state]} />
        <circle className={styles.tip} cx="20" cy="20" r="6" />
        {state === 'plugged' ? (
          <circle className={styles.tip} cx="208" cy="20" r="6" />
        ) : (
          <g transform={PLUG_AT[state]}>
            <path className={styles.plug} d="M0-6 6-10H26V10H6L0 6Z" />
            <path
              className={styles.metal}
              d="M26-8h5V8h-5ZM31-3.5h14V-2h4l2-1.5h4L59 0l-4 3.5h-4L49 2h-4v1.5H31Z"
            />
          </g>
        )}
      </svg>
    </div>
  )
}

function Socket({ x }: { x: number }) {
  return (
    <g transform={`translate(${x})`}>
      <path className={styles.nut} d={NUT} />
      <circle className={styles.bore} cx="20" cy="20" r="12" />
    </g>
  )
}
