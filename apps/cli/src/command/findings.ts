import type { Finding } from '@patchbay/package-format/validate'
import { stripHidden } from '@patchbay/primitives/text'

/** What is wrong at one place, wherever it was found. */
export type ShownFinding = Pick<Finding, 'pointer' | 'message'> & Partial<Finding>

/** `file:line:column: message (pointer)`, as editors and build logs know it. */
export function findingLines(file: string, findings: readonly ShownFinding[]): string[] {
  return findings.map(({ pointer, line, column, message, severity }) => {
    const place = [file, line, column].filter((part) => part !== undefined && part !== '').join(':')
    const kind = severity === 'warning' ? 'warning: ' : ''
    const where = pointer === '' ? '' : ` (${stripHidden(pointer)})`
    return `${place === '' ? '' : `${stripHidden(place)}: `}${kind}${stripHidden(message)}${where}`
  })
}
