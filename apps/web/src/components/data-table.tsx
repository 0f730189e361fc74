import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './data-table.module.css'
import { words } from './words.ts'

export interface Column<Row> {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  align?: 'start' | 'end'
}

interface DataTableProps<Row> {
  /** Names the table; shown above it. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Many columns: where they do not fit side by side each row stands as a block of its own, and nothing scrolls. */
  isWide?: boolean
  /** Shown in place of rows. */
  empty?: ReactNode
}

/** A table to read. The first column names its row. Sorting and selection belong to a grid, not here. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  isWide = false,
  empty = words.dataTable.empty,
}: DataTableProps<Row>) {
  return (
    // A narrow screen scrolls the table inside its frame, and the keyboard must reach that scrolling too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section aria-label={caption} tabIndex={0} className={classes(styles.frame)}>
      <table className={styles.table} data-wide={isWide}>
        <caption className={styles.caption}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" data-align={column.align}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.length === 0 && (
            <tr>
              <td colSpan={columns.length} className={styles.empty}>
                {empty}
              </td>
            </tr>
          )}
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.id} scope="row" data-align={column.align}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.id} data-align={column.align} data-label={column.header}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
