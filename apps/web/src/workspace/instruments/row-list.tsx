import { ArrowDownToLine } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { classes } from '../../components/classes.ts'
import { useRowWindow } from '../../parts/use-row-window.ts'
import styles from './row-list.module.css'
import { ToolSwitch } from './tools.tsx'
import { words } from './words.ts'

interface Row {
  /** Grows from row to row. */
  readonly id: number
}

interface RowListProps<T extends Row> {
  label: string
  rows: readonly T[]
  /** Must fit into one line of text. */
  render: (row: T) => ReactNode
  /** Shown in place of rows. */
  empty: string
  /** Stands beside the count. */
  status: string
}

const NEAR_PX = 24

/** A long list of lines of which only those in view stand in the page. It follows the latest until somebody scrolls up. */
export function RowList<T extends Row>({ label, rows, render, empty, status }: RowListProps<T>) {
  const scroller = useRef<HTMLDivElement>(null)
  const ruler = useRef<HTMLDivElement>(null)
  const lastTop = useRef(0)
  const [isFollowing, setFollowing] = useState(true)
  const [lastSeen, setLastSeen] = useState(-1)
  const { rowHeight, first, end, onScroll } = useRowWindow(scroller, ruler, rows.length)
  const newest = rows.at(-1)?.id ?? -1
  if (isFollowing && lastSeen !== newest) setLastSeen(newest)
  useLayoutEffect(() => {
    const box = scroller.current
    if (box === null || !isFollowing) return
    box.scrollTo({ top: box.scrollHeight, behavior: 'instant' })
    onScroll()
  })
  const missed = isFollowing ? 0 : rows.length - 1 - rows.findLastIndex(({ id }) => id <= lastSeen)

  const scrolled = () => {
    onScroll()
    const box = scroller.current
    if (box === null) return
    const below = box.scrollHeight - box.scrollTop - box.clientHeight
    const isUpwards = box.scrollTop < lastTop.current
    lastTop.current = box.scrollTop
    if (isUpwards && below > NEAR_PX) setFollowing(false)
    else if (!isUpwards && below < 2) setFollowing(true)
  }
  return (
    <div className={styles.frame}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard */}
      <section ref={scroller} aria-label={label} tabIndex={0} className={styles.scroller} onScroll={scrolled}>
        <div ref={ruler} aria-hidden className={classes(styles.row, styles.ruler)}>
          {words.dash}
        </div>
        {rows.length === 0 ? (
          <p className={styles.empty}>{empty}</p>
        ) : (
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- most of its items are not in the page
          <div role="list" className={styles.rows} style={{ blockSize: rows.length * rowHeight }}>
            <div className={styles.window} style={{ insetBlockStart: first * rowHeight }}>
              {rows.slice(first, end).map((row, index) => (
                <div
                  key={row.id}
                  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
                  role="listitem"
                  aria-setsize={rows.length}
                  aria-posinset={first + index + 1}
                  className={styles.row}
                >
                  {render(row)}
                </div>
              ))}
            </div>
          </div>
        )}
      </section>
      <div className={styles.status}>
        <ToolSwitch label={words.list.follow} isOn={isFollowing} onChange={setFollowing}>
          <ArrowDownToLine aria-hidden />
        </ToolSwitch>
        <span>{status}</span>
        {missed > 0 && (
          <Button size="sm" variant="ghost" onPress={() => setFollowing(true)}>
            {words.list.missed(missed)}
          </Button>
        )}
      </div>
    </div>
  )
}
