import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDERS = [
  'apps/web/src',
  'apps/web/public',
  ...['client', 'contracts', 'device-kit', 'package-format', 'primitives', 'workspace-layout'].map(
    (name) => `packages/${name}/src`,
  ),
]
const FILES = [
  'apps/web/index.html',
  'apps/web/viewer.html',
  'apps/web/workspace.html',
  'apps/web/vite.config.ts',
  'apps/web/built-sources.ts',
  'pnpm-lock.yaml',
]

/** Beside a built app: its source maps, which are not shipped, and the state of the sources that it was built from. */
export const besidesOf = (folder: string) => `${folder}-sources`

/** Names a state of everything that the app is built from, and of further folders for what is built beside it. */
export async function hashSources(...besides: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  const files = FILES.map((file) => join(ROOT, file))
  for (const folder of [...FOLDERS, ...besides]) {
    const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })
    files.push(
      ...entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)),
    )
  }
  for (const file of files.toSorted()) hash.update(relative(ROOT, file)).update(await readFile(file))
  return hash.digest('hex').slice(0, 16)
}

/** Takes the source maps out of a built app and notes what it was built from. */
export async function noteSources(folder: string, hash: string): Promise<void> {
  const besides = besidesOf(folder)
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.map')) continue
    await mkdir(dirname(join(besides, name)), { recursive: true })
    await rename(join(folder, name), join(besides, name))
  }
  await mkdir(besides, { recursive: true })
  // Last: a build that was broken off is nobody's.
  await writeFile(join(besides, 'hash'), hash)
}

/** What `noteSources` has noted, if anything. */
export async function notedHash(folder: string): Promise<string | undefined> {
  return await readFile(join(besidesOf(folder), 'hash'), 'utf8').catch(() => undefined)
}

/** What the scripts of a built app are made of. */
export async function sourcesOf(folder: string, scripts: readonly string[]): Promise<string[]> {
  const read = async (script: string) => {
    // The bundler's own few lines have none.
    const map = await readFile(join(besidesOf(folder), `${script}.map`), 'utf8').catch(() => '{"sources":[]}')
    return (JSON.parse(map) as { sources: string[] }).sources
  }
  return (await Promise.all(scripts.map(read))).flat()
}
