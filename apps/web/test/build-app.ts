import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ageOf, buildOnce } from '@patchbay/testkit/build-once'
import { besidesOf, hashSources, notedHash } from '../built-sources.ts'

const BUILDS = fileURLToPath(new URL('../dist', import.meta.url))
const STALE_MS = 60 * 60_000

/**
 * The app as it is shipped: what `pnpm build` has left if the sources are still the same, otherwise built once for a state
 * of the sources, however many test files ask.
 */
export async function buildApp(): Promise<string> {
  const hash = await hashSources()
  const built = join(BUILDS, 'client')
  if ((await notedHash(built)) === hash) return built
  return await buildOnce(BUILDS, `test-${hash}`, async (draft) => {
    await removeStaleBuilds()
    await buildForProduction(draft)
    const besides = besidesOf(join(BUILDS, `test-${hash}`))
    await rm(besides, { recursive: true, force: true })
    await rename(besidesOf(draft), besides)
  })
}

async function buildForProduction(outDir: string): Promise<void> {
  // Imported here: a test file that finds the build need not load Vite.
  const [{ build }, { buildConfig }] = await Promise.all([import('vite'), import('../vite.config.ts')])
  const config = buildConfig({ serverUrl: 'http://127.0.0.1:1' })
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

async function removeStaleBuilds(): Promise<void> {
  const names = await readdir(BUILDS)
  for (const name of names.filter((entry) => entry.startsWith('test-'))) {
    const path = join(BUILDS, name)
    if ((await ageOf(path)) > STALE_MS) await rm(path, { recursive: true, force: true })
  }
}
