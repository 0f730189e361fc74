import type { BoardCheckReport, BoardViolation } from '@patchbay/contracts/boards'
import { ShieldCheck } from 'lucide-react'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Button } from '../../../components/button.tsx'
import { classes } from '../../../components/classes.ts'
import { Spinner } from '../../../components/spinner.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import styles from './board.module.css'
import { shortText } from './part-details.tsx'
import type { JobState } from './use-board-job.ts'
import { words } from './words.ts'

const MOST_SHOWN = 300

interface CheckListProps {
  check: JobState<BoardCheckReport>
  begin: () => void
  /** A place in the violations that are shown. */
  selected: number | undefined
  select: (at: number | undefined) => void
}

/** Those that nobody has excluded, errors first. */
export function shownViolations({ violations }: BoardCheckReport): readonly BoardViolation[] {
  return violations
    .filter(({ isExcluded }) => !isExcluded)
    .toSorted((one, other) => Number(other.severity === 'error') - Number(one.severity === 'error'))
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
    return <Spinner label={check.isRunning ? words.checks.running : words.engine.queued} />
  if (check.status === 'missing')
    return <p className={styles.note}>{shortText(check.hint ?? words.engine.missing.text, 1_000)}</p>
  if (check.status === 'failed') return <FailureNotice error={check.error} retry={check.retry} />
  const { errors, warnings } = check.result
  const shown = shownViolations(check.result).slice(0, MOST_SHOWN)
  return (
    <div className={styles.search}>
      <output className={styles.count}>{words.checks.found(errors, warnings, shown.length)}</output>
      <ListBox
        aria-label={words.checks.label}
        items={shown.map((violation, at) => ({ id: String(at), violation }))}
        selectionMode="single"
        selectedKeys={selected === undefined ? [] : [String(selected)]}
        onSelectionChange={(keys) => {
          const [key] = keys === 'all' ? [] : keys
          select(key === undefined ? undefined : Number(key))
        }}
        className={classes(styles.list, styles.checks)}
      >
        {({ id, violation: { severity, description, items } }) => (
          <ListBoxItem id={id} textValue={description} className={classes(styles.item, styles.check)}>
            <span className={styles.severity} data-severity={severity}>
              {severity === 'error' ? words.checks.error : words.checks.warning}
            </span>
            <span className={styles.said}>{shortText(description)}</span>
            <span className={styles.said}>
              {items
                .slice(0, 2)
                .map((item) => shortText(item.description))
                .join(' · ')}
            </span>
          </ListBoxItem>
        )}
      </ListBox>
    </div>
  )
}
