import { stripVTControlCharacters } from 'node:util'

/** Columns in line, two blanks apart; the last one as long as it likes. A column without text is left out. */
export function tableOf(rows: readonly (readonly string[])[], indent = ''): string {
  const widths: number[] = []
  for (const row of rows)
    for (const [column, text] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(text))
  return rows
    .map((row) => {
      const cells = row.flatMap((text, column) =>
        widths[column] === 0 ? [] : text + ' '.repeat((widths[column] ?? 0) - widthOf(text)),
      )
      return (indent + cells.join('  ')).trimEnd()
    })
    .join('\n')
}

/** Color takes no room. */
function widthOf(text: string): number {
  return stripVTControlCharacters(text).length
}

/** `1 package`, `2 packages`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
