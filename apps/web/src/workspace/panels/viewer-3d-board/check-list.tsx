import type { BoardCheckReport } from '@patchbay/contracts/boards'
import { ShieldCheck } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import { JobProgress } from '../board-jobs/job-progress.tsx'
import type { JobState } from '../board-jobs/use-board-job.ts'
import { ViolationList } from '../board-jobs/violation-list.tsx'
import styles from './board.module.css'
import { shortText } from './part-details.tsx'
import { words } from './words.ts'

interface CheckListProps {
  check: JobState<BoardCheckReport>
  begin: () => void
  /** A place in the violations that are shown. */
  selected: number | undefined
  select: (at: number | undefined) => void
}

/** What KiCad's design rules check finds. */
export function CheckList({ check, begin, selected, select }: CheckListProps) {
  if (check.status === 'none')
    return (
      <div className={styles.search}>
        <p className={styles.note}>{words.checks.text}</p>
        <div>
          <Button size="sm" icon={<ShieldCheck aria-hidden />} onPress={begin}>
            {words.checks.begin}
          </Button>
        </div>
      </div>
    )
  if (check.status === 'waiting')
    return <JobProgress label={words.checks.running} progress={check.progress} />
  if (check.status === 'missing')
    return <p className={styles.note}>{shortText(check.hint ?? words.engine.missing.text, 1_000)}</p>
  if (check.status === 'failed') return <FailureNotice error={check.error} retry={check.retry} />
  return (
    <ViolationList label={words.checks.label} report={check.result} selected={selected} select={select} />
  )
}
