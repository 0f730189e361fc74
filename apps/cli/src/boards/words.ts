import type { BoardCheckReport, BoardJobProgress, BoardViolation } from '@patchbay/client/workspaces'
import { stripHidden } from '@patchbay/primitives/text'
import type { Paint } from '../terminal/paint.ts'
import { counted } from '../terminal/table.ts'
import type { AskedWorkspace } from '../workspace/open-workspaces.ts'

const CHECKS = { erc: 'Electrical rules', drc: 'Design rules' } as const

/** Each finding with where it is, and how many there are. */
export function checkWords(report: BoardCheckReport, paint: Paint): string {
  const { errors, warnings, exclusions, isComplete } = report
  const counts = [
    counted(errors, 'error'),
    counted(warnings, 'warning'),
    ...(exclusions === 0 ? [] : [counted(exclusions, 'exclusion')]),
  ]
  const shown = report.violations.filter(({ isExcluded }) => !isExcluded)
  return [
    `${CHECKS[report.kind]}: ${counts.join(', ')}.`,
    ...shown.map((each) => findingWords(each, paint)),
    ...(isComplete ? [] : ['There are more than can be listed.']),
  ].join('\n')
}

function findingWords({ type, severity, description, sheet, items }: BoardViolation, paint: Paint): string {
  const where = sheet === null || sheet === '/' ? '' : ` on ${stripHidden(sheet)}`
  const title = paint(severity === 'error' ? 'red' : 'yellow', severity)
  const places = items.map((item) => `    ${stripHidden(item.description)} at ${item.x}, ${item.y} mm`)
  return [`  ${title} ${stripHidden(type)}${where}: ${stripHidden(description)}`, ...places].join('\n')
}

export const REFUSED = {
  path: (path: string) =>
    `KiCad works on .kicad_sch, .kicad_pcb and .kicad_pro files, and not on "${stripHidden(path)}".`,
  emptyProject: (path: string) => `There is neither a schematic nor a board beside ${path}.`,
  sheetOrBoard: 'A picture is of a sheet (--sheet), or of a board (--side, --width, --height).',
  needsOutput: 'This is no text for a terminal: name a file with --output, or send it on with a pipe.',
  exists: (file: string) => `${file} is there already. Replace it with --force.`,
  nothing: (path: string) => `KiCad has made nothing of ${path}.`,
  sheet: (sheet: string, sheets: readonly string[]) =>
    sheets.length === 0
      ? 'KiCad has drawn no sheet.'
      : `There is no sheet "${stripHidden(sheet)}". There are: ${sheets.map((each) => stripHidden(each)).join(', ')}.`,
  notYet: (path: string, seconds: number, advise: AskedWorkspace['advise']) =>
    `KiCad is not done with ${path} after ${seconds} s. Ask again, or wait longer with --timeout; ${advise('board --help')} says more.`,
  failed: (path: string, detail: string, notes: readonly string[]) =>
    [
      `KiCad cannot do this with ${path}: ${stripHidden(detail)}`,
      ...notes.map((note) => `  ${stripHidden(note)}`),
    ].join('\n'),
  file: (path: string, detail: string | undefined) =>
    `KiCad cannot do this with ${path}${detail === undefined ? '.' : `: ${stripHidden(detail)}`}`,
  noEngine: ({ server }: AskedWorkspace, hint: string | null) =>
    [
      `${server} has no KiCad at work, so that it can neither check, draw nor export.`,
      ...(hint === null ? [] : [stripHidden(hint)]),
    ].join('\n'),
  tooMany: 'Too many jobs of this owner are waiting for KiCad. Try again when some of them have ended.',
  unknown: (path: string, other: string | undefined, name: string) =>
    `${name} has no file ${path}.${other === undefined ? '' : `\nDid you mean ${other}?`}`,
} as const

type LibraryWords = (identifier: string, asked: AskedWorkspace, detail: string | undefined) => string

export const LIBRARY_REFUSED: Readonly<Record<string, LibraryWords>> = {
  package_not_found: (identifier, { server, advise }) =>
    `${server} has no package ${stripHidden(identifier)} of this version, or you may not read it.\n${advise('search --type library')} finds libraries.`,
  board_library_refused: (identifier, _asked, detail) =>
    `${identifier} cannot be used as a library${detail === undefined ? '.' : `: ${stripHidden(detail)}`}`,
  board_library_not_found: (identifier, { name, advise }) =>
    `${name} has no library ${stripHidden(identifier)}.\nSee ${advise(`board libraries list ${name}`)}.`,
  limit_reached: (identifier, { name, advise }, detail) =>
    `${identifier} was not added: ${stripHidden(detail ?? 'the limit is reached.')}\nRemove one of ${advise(`board libraries list ${name}`)} first.`,
} as const

const inSeconds = (ms: number) => Math.ceil(ms / 1_000)

/** What a job does, for how long, and how long that usually takes, as long as it does not take longer. */
export function progressWords(
  path: string,
  progress: BoardJobProgress | undefined,
): { readonly title: string; readonly seconds: number; readonly usual: number | undefined } {
  const title = `KiCad: ${path}`
  if (progress === undefined) return { title, seconds: 0, usual: undefined }
  const { said, elapsedMs, typicalMs } = progress
  const usual = typicalMs === null || typicalMs < elapsedMs ? undefined : inSeconds(typicalMs)
  return {
    title: said === null ? title : `${title}, ${stripHidden(said)}`,
    seconds: inSeconds(elapsedMs),
    usual,
  }
}
