import type { Visibility } from '@patchbay/contracts/registry'
import { linkOf, SHA256_PATTERN } from '@patchbay/package-format'
import type { Source } from './use-publishing.ts'
import { words } from './words.tsx'

/** What the form holds while somebody fills it in. */
export interface SourceDraft {
  readonly from: 'file' | 'url'
  readonly file: File | undefined
  readonly url: string
  readonly sha256: string
  readonly visibility: Visibility
}

export const EMPTY_DRAFT: SourceDraft = {
  from: 'file',
  file: undefined,
  url: '',
  sha256: '',
  visibility: 'public',
}

const SHA256 = new RegExp(SHA256_PATTERN, 'u')

export function fileFault(file: File | undefined): string | undefined {
  if (file === undefined || /\.zip$/i.test(file.name)) return undefined
  return words.file.fault
}

export function urlFault(url: string): string | undefined {
  if (url.trim() === '' || linkOf(url.trim()) !== undefined) return undefined
  return words.source.urlFault
}

export function sha256Fault(sha256: string): string | undefined {
  if (sha256.trim() === '' || SHA256.test(sha256.trim().toLowerCase())) return undefined
  return words.source.sha256Fault
}

/** What can be sent, as soon as the draft is complete and has no fault. */
export function sourceOf({ from, file, url, sha256 }: SourceDraft): Source | undefined {
  if (from === 'file') return file === undefined || fileFault(file) !== undefined ? undefined : { file }
  const isGood = url.trim() !== '' && urlFault(url) === undefined && sha256Fault(sha256) === undefined
  return isGood ? { url: url.trim(), sha256: sha256.trim().toLowerCase() } : undefined
}
