import type { Repository as RepositoryIndex, RepositoryResource } from '@patchbay/package-format'
import { type Finding, validateText } from '@patchbay/package-format/validate'
import { shownAddress } from './address.ts'
import { jsonTextOf } from './content.ts'
import { RepositoryFailure } from './failure.ts'

export interface ParsedIndex {
  readonly index: RepositoryIndex
  readonly warnings: readonly Finding[]
}

/** repository.json, checked. */
export function parseIndex(bytes: Uint8Array, url: URL): ParsedIndex {
  const text = jsonTextOf(bytes, url)
  const { kind, isValid, findings } = validateText(text, { urls: 'compat' })
  if (!isValid || kind !== 'repository') {
    const first = findings.find(({ severity }) => severity === 'error')
    const what =
      kind === undefined || kind === 'repository' ? describe(first) : `it is a ${kind}, not a repository.json`
    throw new RepositoryFailure('malformed', what, { url: shownAddress(url), findings })
  }
  const index = JSON.parse(text) as RepositoryIndex
  checkTimestamp(index.packages, url)
  return { index, warnings: findings }
}

export function describe(finding: Finding | undefined): string {
  if (finding === undefined) return 'it does not follow the format'
  const { pointer, line, column, message } = finding
  const where = line === undefined ? pointer : `line ${line}, column ${column}`
  return where === '' ? message : `${where}: ${message}`
}

/** It orders the states on disk; one that cannot be compared would protect from nothing. */
function checkTimestamp({ update_timestamp: timestamp }: RepositoryResource, url: URL): void {
  if (Number.isSafeInteger(timestamp) && timestamp >= 0) return
  throw new RepositoryFailure(
    'malformed',
    'update_timestamp of packages is no number of seconds since 1970',
    {
      url: shownAddress(url),
    },
  )
}
