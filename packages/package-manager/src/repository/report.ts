import type { Finding } from '@patchbay/package-format/validate'
import { escapeHidden } from '@patchbay/primitives/text'

/** One thing that is wrong with a repository. */
export interface RepositoryFinding {
  /** Stable, for programs. */
  readonly code: string
  /** Errors stop somebody from installing; warnings do not. */
  readonly severity: 'error' | 'warning'
  /** The file, address or package. */
  readonly subject: string
  readonly message: string
  readonly findings?: readonly Finding[]
}

export interface RepositoryReport {
  readonly isSound: boolean
  readonly findings: readonly RepositoryFinding[]
  readonly packages: number
  readonly versions: number
  /** How many files or addresses were looked at, and how many bytes of them. */
  readonly checked: number
  readonly bytes: number
  /** For a person, several lines. */
  readonly summary: string
}

export type ReportCounts = Pick<RepositoryReport, 'packages' | 'versions' | 'checked' | 'bytes'>

/** Collects what is found on the way. */
export class FindingList {
  readonly all: RepositoryFinding[] = []

  error(code: string, subject: string, message: string, findings?: readonly Finding[]): void {
    this.#add('error', code, subject, message, findings)
  }

  warn(code: string, subject: string, message: string, findings?: readonly Finding[]): void {
    this.#add('warning', code, subject, message, findings)
  }

  /** Faults of a document, each with its place in it. */
  addFindings(code: string, subject: string, findings: readonly Finding[]): void {
    for (const finding of findings) {
      const place = finding.line === undefined ? finding.pointer : `line ${finding.line}`
      this.#add(finding.severity, code, subject, `${place}: ${finding.message}`, [finding])
    }
  }

  #add(
    severity: RepositoryFinding['severity'],
    code: string,
    subject: string,
    message: string,
    findings?: readonly Finding[],
  ): void {
    const shown = { subject: escapeHidden(subject), message: escapeHidden(message) }
    this.all.push({ code, severity, ...shown, ...(findings === undefined ? {} : { findings }) })
  }
}

/** Beyond this nobody reads on. */
const MOST_LINES = 1000

export function reportOf({ all }: FindingList, counts: ReportCounts): RepositoryReport {
  const errors = all.filter(({ severity }) => severity === 'error').length
  const verdict = errors === 0 ? 'sound' : 'not sound'
  const head = `${verdict}: ${counts.packages} packages, ${counts.versions} versions, ${counts.checked} files, ${counts.bytes} bytes checked; ${errors} errors, ${all.length - errors} warnings`
  const lines = all
    .slice(0, MOST_LINES)
    .map(({ severity, subject, message }) => `${severity}: ${subject}: ${message}`)
  const rest = all.length > MOST_LINES ? [`and ${all.length - MOST_LINES} more`] : []
  return { ...counts, isSound: errors === 0, findings: all, summary: [head, ...lines, ...rest].join('\n') }
}
