import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { webConfig } from '../../vite.config.ts'
import { buildOnce } from '../build-once.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const BUILDS = join(ROOT, 'apps/web/dist')
const PAGE = join(ROOT, 'apps/web/test/panels/bench')
const SOURCES = ['apps/web/src', 'apps/web/test/panels/bench', 'packages/contracts/src']

/** A page that holds one panel, built as the app is. Once for a state of the sources. */
export async function buildBench(): Promise<string> {
  return await buildOnce(BUILDS, `test-panels-${await hashSources()}`, buildForProduction)
}

async function buildForProduction(outDir: string): Promise<void> {
  const config = webConfig({ serverUrl: 'http://127.0.0.1:1' })
  // Without those that build the other documents beside it, which would take twice as long as the page itself, and the
  // one that packs what no test asks for packed.
  const plugins = (config.plugins as Plugin[]).filter(({ name }) => !/-document$|^compressed$/.test(name))
  const { NODE_ENV } = process.env
  // Vite would bake the test runner's value in, and libraries behave differently under it: React Aria adds no styles.
  process.env['NODE_ENV'] = 'production'
  try {
    await build({
      ...config,
      plugins,
      root: PAGE,
      publicDir: join(ROOT, 'apps/web/public'),
      logLevel: 'error',
      build: {
        ...config.build,
        outDir,
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
