import { createHash } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url))
const NOTE = fileURLToPath(new URL('../dist/site.hash', import.meta.url))
const FOLDERS = ['docs', 'apps/docs/src', 'apps/docs/public']
const FILES = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'deploy/README.md',
  'pnpm-lock.yaml',
]

/** Names a state of everything that the site is built from. */
export async function hashSources(): Promise<string> {
  const files = [...FILES]
  for (const folder of FOLDERS) {
    const entries = await readdir(join(CHECKOUT, folder), { recursive: true, withFileTypes: true })
    for (const entry of entries)
      if (entry.isFile()) files.push(join(entry.parentPath, entry.name).slice(CHECKOUT.length))
  }
  const hash = createHash('sha256')
  for (const file of files.toSorted()) hash.update(file).update(await readFile(join(CHECKOUT, file)))
  return hash.digest('hex')
}

export async function notedHash(): Promise<string | undefined> {
  return await readFile(NOTE, 'utf8').catch(() => undefined)
}

export async function noteHash(hash: string): Promise<void> {
  await writeFile(NOTE, hash)
}

/** A build that is broken off is nobody's. */
export async function forgetHash(): Promise<void> {
  await rm(NOTE, { force: true })
}
