import { parseArgs } from 'node:util'
import { boards } from './boards/bench.ts'
import { devices } from './devices/bench.ts'
import { files } from './files/bench.ts'
import { gateway } from './gateway/bench.ts'
import { identity } from './identity/bench.ts'
import { kernel } from './kernel/bench.ts'
import { panels } from './panels/bench.ts'
import { registry } from './registry/bench.ts'
import { type Bench, runBench } from './report.ts'
import { viewer } from './viewer/bench.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { smoke: { type: 'boolean', default: false } },
})

const BENCHES: Readonly<Record<string, Bench<unknown, unknown>>> = {
  kernel,
  gateway,
  identity,
  registry,
  panels,
  viewer,
  files,
  devices,
  boards,
}

const [name = ''] = positionals
const bench = BENCHES[name]
if (bench === undefined) {
  console.error(`Usage: pnpm bench ${Object.keys(BENCHES).join('|')} [--smoke]`)
  console.error('  --smoke  a few seconds, to see that it runs; writes nothing')
  process.exitCode = 2
} else {
  await runBench(name, bench, values.smoke)
}
