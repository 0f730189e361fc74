import type { BoardCheckReport, BoardViolation } from '@patchbay/contracts/boards'
import { stripHidden } from '@patchbay/primitives/text'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { classes } from '../../../components/classes.ts'
import styles from './violation-list.module.css'
import { words } from './words.ts'

const MOST_SHOWN = 300

/** Text of strangers, without letters that hide. */
const shown = (text: string) => stripHidden(text.slice(0, 200)).trim()

/** Those that nobody has excluded, errors first. */
export function shownViolations({ violations }: BoardCheckReport): readonly BoardViolation[] {
  return violations
    .filter(({ isExcluded }) => !isExcluded)
    .toSorted((one, other) => Number(other.severity === 'error') - Number(one.severity === 'error'))
}

interface ViolationListProps {
  label: string
  report: BoardCheckReport
  /** A place in the violations that are shown. */
  selected: number | undefined
  select: (at: number | undefined) => void
  /** What is said besides of one. */
  aside?: (violation: BoardViolation) => string | undefined
}

/** What a check of KiCad has found. */
export function ViolationList({ label, report, selected, select, aside }: ViolationListProps) {
  const listed = shownViolations(report).slice(0, MOST_SHOWN)
  return (
    <div className={styles.found}>
      <output className={styles.count}>{words.found(report.errors, report.warnings, listed.length)}</output>
      <ListBox
        aria-label={label}
        items={listed.map((violation, at) => ({ id: String(at), violation }))}
        // What is said besides may change while the list stays the same.
        dependencies={[aside]}
        selectionMode="single"
        selectedKeys={selected === undefined ? [] : [String(selected)]}
        onSelectionChange={(keys) => {
          const [key] = keys === 'all' ? [] : keys
          select(key === undefined ? undefined : Number(key))
        }}
        className={classes(styles.list)}
      >
        {({ id, violation }) => (
          <ListBoxItem id={id} textValue={violation.description} className={classes(styles.item)}>
            <span className={styles.severity} data-severity={violation.severity}>
              {violation.severity === 'error' ? words.error : words.warning}
            </span>
            <span>{shown(violation.description)}</span>
            <span>
              {[aside?.(violation) ?? '', ...violation.items.slice(0, 2).map((item) => item.description)]
                .map(shown)
                .filter((text) => text !== '')
                .join(' · ')}
            </span>
          </ListBoxItem>
        )}
      </ListBox>
    </div>
  )
}
