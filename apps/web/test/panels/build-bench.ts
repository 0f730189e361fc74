import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { webConfig } from '../../vite.config.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const BUILDS = join(ROOT, 'apps/web/dist')
const PAGE = join(ROOT, 'apps/web/test/panels/bench')
const SOURCES = ['apps/web/src', 'apps/web/test/panels/bench', 'packages/contracts/src']

/** A page that holds one panel, built as the app is. Once for a state of the sources. */
export async function buildBench(): Promise<string> {
  const folder = join(BUILDS, `test-panels-${await hashSources()}`)
  if (await exists(folder)) return folder
  await mkdir(BUILDS, { recursive: true })
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
  const config = webConfig({ serverUrl: 'http://127.0.0.1:1' })
  const { NODE_ENV } = process.env
  // Vite would bake the test runner's value in, and libraries behave differently under it: React Aria adds no styles.
  process.env['NODE_ENV'] = 'production'
  try {
    await build({
      ...config,
      root: PAGE,
      publicDir: join(ROOT, 'apps/web/public'),
      logLevel: 'error',
      build: {
        ...config.build,
        outDir,
        sourcemap: false,
        rolldownOptions: { ...config.build?.rolldownOptions, input: join(PAGE, 'index.html') },
      },
    })
  } finally {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = NODE_ENV
  }
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(ROOT, 'apps/web/vite.config.ts')))
  for (const source of SOURCES) {
    for (const name of (await readdir(join(ROOT, source), { recursive: true })).toSorted()) {
      const path = join(ROOT, source, name)
      if ((await stat(path)).isFile()) hash.update(name).update(await readFile(path))
    }
  }
  return hash.digest('hex').slice(0, 16)
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}
