import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildOnce } from '@patchbay/testkit/build-once'
import { build, type Plugin } from 'vite'
import { hashSources } from '../../built-sources.ts'
import { webConfig } from '../../vite.config.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const BUILDS = join(ROOT, 'apps/web/dist')
const PAGE = 'apps/web/test/panels/bench'

/** A page that holds one panel, built as the app is. Once for a state of the sources. */
export async function buildBench(): Promise<string> {
  return await buildOnce(BUILDS, `test-panels-${await hashSources(PAGE)}`, buildForProduction)
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
      root: join(ROOT, PAGE),
      publicDir: join(ROOT, 'apps/web/public'),
      logLevel: 'error',
      build: {
        ...config.build,
        outDir,
        rolldownOptions: { ...config.build?.rolldownOptions, input: join(ROOT, PAGE, 'index.html') },
      },
    })
  } finally {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = NODE_ENV
  }
}
