import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openTrustedIndex, TrustFailure } from '@patchbay/package-trust/verifying'
import type { FindingList } from './report.ts'

/** Follows the signatures from the first root, as a new client would. A repository without them is not at fault. */
export async function checkSignatures(
  folder: string,
  repository: Uint8Array,
  now: () => number,
  found: FindingList,
): Promise<void> {
  const metadata = join(folder, 'tuf')
  if (!(await stat(metadata).catch(() => undefined))?.isDirectory()) return
  const root = await readFile(join(metadata, '1.root.json')).catch(() => undefined)
  if (root === undefined) {
    found.error('signature_invalid', 'tuf/1.root.json', 'is missing; clients begin with the first root')
    return
  }
  const cacheFolder = await mkdtemp(join(tmpdir(), 'patchbay-verify-'))
  try {
    const index = openTrustedIndex({
      metadataUrl: `${pathToFileURL(metadata).href}/`,
      cacheFolder,
      root,
      fetch: () => Promise.reject(new Error('a folder is read without a network')),
      now: () => new Date(now()),
    })
    await index.check('repository.json', repository)
  } catch (error) {
    if (!(error instanceof TrustFailure)) throw error
    found.error('signature_invalid', 'tuf', error.message)
  } finally {
    await rm(cacheFolder, { recursive: true, force: true })
  }
}
