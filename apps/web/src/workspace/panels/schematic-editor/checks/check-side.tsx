import type { BoardViolation } from '@patchbay/contracts/boards'
import { stripHidden } from '@patchbay/primitives/text'
import { X } from 'lucide-react'
import { Button } from '../../../../components/button.tsx'
import { FailureNotice } from '../../../../server/failure-notice.tsx'
import { JobProgress } from '../../board-jobs/job-progress.tsx'
import { ViolationList } from '../../board-jobs/violation-list.tsx'
import { ToolButton } from '../../parts/tool-button.tsx'
import styles from '../schematic-editor.module.css'
import { words } from '../words.ts'
import type { Check } from './use-check.ts'

const LONGEST_HINT = 1_000

interface CheckSideProps {
  check: Check
  selected: number | undefined
  select: (at: number | undefined) => void
  /** Of the sheet that is shown. */
  sheetName: string
  close: () => void
}

/** What KiCad's electrical rules check finds in the schematic. */
export function CheckSide({ check, selected, select, sheetName, close }: CheckSideProps) {
  const { report, isStale, job } = check
  const sheetOf = ({ sheet }: BoardViolation) =>
    sheet === null || sheet === sheetName ? undefined : words.checks.sheet(sheet)
  return (
    <aside aria-label={words.checks.title} className={styles.side}>
      <div className={styles.sideHead}>
        <span>{words.checks.title}</span>
        <ToolButton label={words.checks.close} onPress={close}>
          <X aria-hidden />
        </ToolButton>
      </div>
      <State job={job} />
      {report !== undefined && isStale && <p className={styles.hint}>{words.checks.stale}</p>}
      {report !== undefined && (
        <ViolationList
          label={words.checks.label}
          report={report}
          selected={selected}
          select={select}
          aside={sheetOf}
        />
      )}
      {job.status !== 'waiting' && job.status !== 'none' && (
        <div>
          <Button size="sm" onPress={check.again}>
            {words.checks.again}
          </Button>
        </div>
      )}
    </aside>
  )
}

function State({ job }: Pick<Check, 'job'>) {
  switch (job.status) {
    case 'none':
      return <p className={styles.hint}>{words.checks.soon}</p>
    case 'waiting':
      return <JobProgress label={words.checks.running} progress={job.progress} />
    case 'missing':
      return (
        <p className={styles.hint}>
          {words.checks.missing} {stripHidden((job.hint ?? '').slice(0, LONGEST_HINT))}
        </p>
      )
    case 'failed':
      return <FailureNotice error={job.error} retry={job.retry} />
    case 'done':
      return null
    default:
      job satisfies never
      return null
  }
}
