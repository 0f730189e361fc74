import type { BoardJobProgress } from '@patchbay/contracts/boards'
import { displayText } from '@patchbay/primitives/text'
import { Progress } from '../../../components/progress.tsx'
import styles from './job-progress.module.css'
import { words } from './words.ts'

const MOST_SAID = 60

interface JobProgressProps {
  /** What KiCad does, such as "KiCad is checking the board…". */
  label: string
  /** Without it the job is queued. */
  progress: BoardJobProgress | undefined
}

/** How far a job of KiCad is: what it does, for how long, and how long it usually takes. */
export function JobProgress({ label, progress }: JobProgressProps) {
  if (progress === undefined)
    return (
      <div className={styles.job}>
        <Progress label={words.queued} />
      </div>
    )
  const { step, said, elapsedMs, typicalMs, percent } = progress
  const doing = step === 'storing' ? words.storing : said === null ? '' : displayText(said, MOST_SAID)
  const typical = typicalMs === null ? undefined : inSeconds(typicalMs)
  return (
    <div className={styles.job}>
      <Progress label={label} {...(percent !== null && { value: percent })} />
      <span className={styles.doing}>
        <span>{words.times(inSeconds(elapsedMs), typical)}</span>
        <span className={styles.said}>{doing}</span>
      </span>
    </div>
  )
}

const inSeconds = (ms: number) => words.seconds(Math.max(1, Math.round(ms / 1_000)))
