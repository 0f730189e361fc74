import { Problem } from '@patchbay/contracts/core'
import { OutboundRefused } from '@patchbay/kernel/outbound'
import { ArchiveRefused } from '@patchbay/package-archive'
import type { Fault } from './fault.ts'

/** What a publisher is told about an archive; anything else that was thrown stays what it is. */
export function asArchiveProblem(error: unknown): unknown {
  if (!(error instanceof ArchiveRefused)) return error
  const { reason, entry, findings, message } = error
  if (findings !== undefined && findings.length > 0) return refuseMetadata(findings, message)
  return refuseArchive(reason, message, entry)
}

export function refuseArchive(reason: string, detail: string, entry?: string): Problem {
  return new Problem('archive_refused', {
    detail,
    extensions: { reason, ...(entry === undefined ? {} : { entry }) },
  })
}

export function refuseMetadata(findings: readonly Fault[], detail?: string): Problem {
  const [first] = findings
  return new Problem('metadata_invalid', {
    detail: detail ?? `metadata.json${first?.pointer ?? ''} ${first?.message ?? ''}`,
    extensions: { findings },
  })
}

/** The address or what it leads to will never do: another attempt would not help. */
const FINAL = new Set(['url', 'scheme', 'credentials', 'address', 'name', 'port', 'redirects', 'encoding'])

export function asSourceProblem(error: unknown): unknown {
  if (!(error instanceof OutboundRefused)) return error
  const { reason, message } = error
  if (reason === 'too_large') return refuseArchive('too_large', message)
  return new Problem(FINAL.has(reason) ? 'source_refused' : 'source_unavailable', {
    detail: message,
    extensions: { reason },
    cause: error,
  })
}
