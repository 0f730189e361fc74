import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Inspection } from '@patchbay/package-archive'
import { sha256Of } from '../client/body.ts'
import { filesOf, parseManifests } from './manifest-entries.ts'
import type { PublishedFiles } from './published-files.ts'
import type { FindingList } from './report.ts'

/** Whether every archive has a manifest that says what is in it. */
export async function checkManifests(
  bytes: Uint8Array | undefined,
  inspections: ReadonlyMap<string, Inspection>,
  files: PublishedFiles,
  found: FindingList,
): Promise<void> {
  if (bytes === undefined) return
  const entries = parseManifests(bytes)
  if (entries === undefined) {
    found.error(
      'manifests_invalid',
      'manifests.json',
      'is no JSON object with manifests by package and version',
    )
    return
  }
  const listed = new Map(entries.map((entry) => [entry.subject, entry]))
  for (const [subject, inspection] of inspections) {
    const entry = listed.get(subject)
    const name = entry && files.nameOf(entry.url)
    if (entry === undefined) found.warn('manifest_missing', subject, 'has no manifest')
    else if (name === undefined)
      found.warn('outside', entry.url, 'the manifest is published elsewhere and was not checked')
    else await checkManifest(files.pathOf(name), entry.sha256, inspection, subject, found)
  }
}

async function checkManifest(
  path: string,
  sha256: string | undefined,
  inspection: Inspection,
  subject: string,
  found: FindingList,
): Promise<void> {
  const bytes = await readFile(path).catch(() => undefined)
  if (bytes === undefined) {
    found.error('manifest_missing', subject, 'its manifest is not there')
    return
  }
  if (sha256 !== undefined && sha256Of(bytes) !== sha256) {
    found.error('hash_mismatch', subject, 'its manifest is not the one that manifests.json names')
  }
  const files = inspection.files.map(({ path: file, size, sha256: hash }) => ({
    path: file,
    size,
    sha256: hash,
  }))
  if (!isDeepStrictEqual(filesOf(bytes), files)) {
    found.error('manifest_differs', subject, 'its manifest does not list the files of its archive')
  }
}
