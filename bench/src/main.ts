import { parseArgs } from 'node:util'
import { benchGateway } from './gateway/bench.ts'
import { benchIdentity } from './identity/bench.ts'
import { benchKernel } from './kernel.ts'
import { benchPanels } from './panels/bench.ts'
import { benchRegistry } from './registry/bench.ts'
import { benchViewer } from './viewer/bench.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { smoke: { type: 'boolean', default: false } },
})

const BENCHES: Readonly<Record<string, (smoke: boolean) => Promise<void>>> = {
  kernel: benchKernel,
  gateway: benchGateway,
  identity: benchIdentity,
  registry: benchRegistry,
  panels: benchPanels,
  viewer: benchViewer,
}

const bench = BENCHES[positionals[0] ?? '']
if (bench === undefined) {
  console.error(`Usage: pnpm bench ${Object.keys(BENCHES).join('|')} [--smoke]`)
  console.error('  --smoke  a few seconds, to see that it runs; writes nothing')
  process.exitCode = 2
} else {
  await bench(values.smoke)
}
