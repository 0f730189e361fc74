import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

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
  const folder = join(BUILDS, `test-${await hashSources()}`)
  if (await exists(folder)) return folder
  await mkdir(BUILDS, { recursive: true })
  await removeStaleBuilds()
  const draft = await mkdtemp(join(BUILDS, 'test-draft-'))
  await buildForProduction(draft)
  try {
    await rename(draft, folder)
  } catch (error) {
    // Another worker was faster with the same build.
    await rm(draft, { recursive: true, force: true })
    if (!(await exists(folder))) throw error
  }
  return folder
}

async function buildForProduction(outDir: string): Promise<void> {
  // Imported here: a test file that finds the build need not load Vite.
  const [{ build }, { webConfig }] = await Promise.all([import('vite'), import('../vite.config.ts')])
  const config = webConfig({ serverUrl: 'http://127.0.0.1:1' })
  const { NODE_ENV } = process.env
  // Vite would bake the test runner's value in, and libraries behave differently under it: React Aria adds no styles.
  process.env['NODE_ENV'] = 'production'
  try {
    await build({ ...config, logLevel: 'error', build: { ...config.build, outDir } })
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
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    )
    if (age > STALE_MS) await rm(path, { recursive: true, force: true })
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}
