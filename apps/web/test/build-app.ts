import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ageOf, buildOnce } from './build-once.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const BUILDS = join(ROOT, 'apps/web/dist')
const SOURCES = [
  'apps/web/src',
  'apps/web/public',
  'packages/contracts/src',
  'packages/package-format/src',
  'packages/workspace-layout/src',
]
const SINGLE_SOURCES = [
  'apps/web/index.html',
  'apps/web/viewer.html',
  'apps/web/workspace.html',
  'apps/web/vite.config.ts',
  'apps/web/test/build-app.ts',
  'pnpm-lock.yaml',
]
const STALE_MS = 60 * 60_000

/**
 * The app as it is shipped. Built once for a state of the sources, however many test files ask: the folder's name
 * is a hash of them.
 */
export async function buildApp(): Promise<string> {
  return await buildOnce(BUILDS, `test-${await hashSources()}`, async (draft) => {
    await removeStaleBuilds()
    await buildForProduction(draft)
  })
}

/** What the scripts of a built app are made of. */
export async function sourcesOf(folder: string, scripts: readonly string[]): Promise<string[]> {
  const read = async (script: string) => {
    // The bundler's own few lines have none.
    const map = await readFile(join(folder, `${script}.map`), 'utf8').catch(() => '{"sources":[]}')
    return (JSON.parse(map) as { sources: string[] }).sources
  }
  return (await Promise.all(scripts.map(read))).flat()
}

async function buildForProduction(outDir: string): Promise<void> {
  // Imported here: a test file that finds the build need not load Vite.
  const [{ build }, { webConfig }] = await Promise.all([import('vite'), import('../vite.config.ts')])
  const config = webConfig({ serverUrl: 'http://127.0.0.1:1' })
  const { NODE_ENV } = process.env
  // Vite would bake the test runner's value in, and libraries behave differently under it: React Aria adds no styles.
  process.env['NODE_ENV'] = 'production'
  try {
    // Hidden ones tell tests which sources a file is made of; nothing else about it changes.
    await build({ ...config, logLevel: 'error', build: { ...config.build, outDir, sourcemap: 'hidden' } })
  } finally {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = NODE_ENV
  }
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  const files = SINGLE_SOURCES.map((file) => join(ROOT, file))
  for (const folder of SOURCES) {
    const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })
    files.push(
      ...entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)),
    )
  }
  for (const file of files.toSorted()) hash.update(relative(ROOT, file)).update(await readFile(file))
  return hash.digest('hex').slice(0, 16)
}

async function removeStaleBuilds(): Promise<void> {
  const names = await readdir(BUILDS)
  for (const name of names.filter((entry) => entry.startsWith('test-'))) {
    const path = join(BUILDS, name)
    if ((await ageOf(path)) > STALE_MS) await rm(path, { recursive: true, force: true })
  }
}
