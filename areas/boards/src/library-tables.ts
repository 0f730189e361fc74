import { installedPath } from '@patchbay/package-archive'
import type { LibraryInput } from './library.ts'

export const LIBRARY_TABLES = ['sym-lib-table', 'fp-lib-table'] as const
export type LibraryTable = (typeof LIBRARY_TABLES)[number]

const KINDS = { 'sym-lib-table': 'symbols', 'fp-lib-table': 'footprints' } as const

/** KiCad's table of what is installed with it, with the libraries of packages as its own package manager adds them. */
export function withLibraries(
  table: LibraryTable,
  installed: string | undefined,
  libraries: readonly LibraryInput[],
  series: string,
): string {
  const folder = `\${KICAD${series.split('.')[0]}_3RD_PARTY}`
  const rows = libraries.flatMap((library) =>
    library[KINDS[table]].map(
      // Neither has a character that would end the word: a file that is called so is no library.
      ({ nickname, path }) =>
        `  (lib (name "${nickname}")(type "KiCad")(uri "${folder}/${installedPath(path, library.identifier)}")(options "")(descr ""))\n`,
    ),
  )
  const before = installed ?? `(${table.replaceAll('-', '_')}\n  (version 7)\n)`
  return `${before.slice(0, before.lastIndexOf(')'))}${rows.join('')})\n`
}
