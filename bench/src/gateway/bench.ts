import { mkdir, writeFile } from 'node:fs/promises'
import { measureCallbacks } from './callbacks.ts'
import { measureFlows } from './flows.ts'
import { measureIdleMemory } from './idle-memory.ts'
import { measurePending } from './pending.ts'
import { gatewayPlots } from './plots.ts'
import type { GatewayFigures } from './figures.ts'
import { gatewayReport } from './report.ts'
import { startRig } from './rig.ts'

export const FULL = {
  sockets: 2_000,
  callbacks: { states: 20_000, rounds: 11, crossingRounds: 7, steadyRounds: 7 },
  flows: { flows: 4_000, rounds: 5 },
  pending: { levels: [1_000, 20_000, 100_000], holders: 6_400, states: 10_000, rounds: 5 },
  memory: { sockets: 19_000, rounds: 5 },
}
export const SMOKE = {
  sockets: 200,
  callbacks: { states: 600, rounds: 1, crossingRounds: 1, steadyRounds: 1 },
  flows: { flows: 128, rounds: 1 },
  pending: { levels: [100, 1_000], holders: 100, states: 400, rounds: 1 },
  memory: { sockets: 1_000, rounds: 1 },
}
const DOCS = new URL('../../../docs/benchmarks/', import.meta.url)

/** What the gateway costs against a bare prototype, side by side in one run. */
export async function benchGateway(smoke: boolean): Promise<void> {
  const sizes = smoke ? SMOKE : FULL
  const figures = { ...(await measureNodes(sizes)), memory: await measureMemory(sizes), sizes }
  const report = gatewayReport(figures)
  console.log(`\n${report}`)
  if (smoke) return
  await mkdir(DOCS, { recursive: true })
  await writeFile(new URL('gateway.md', DOCS), report)
  for (const [name, svg] of Object.entries(gatewayPlots(figures))) await writeFile(new URL(name, DOCS), svg)
  console.log('written to docs/benchmarks/gateway.md')
}

async function measureNodes(sizes: typeof FULL): Promise<Omit<GatewayFigures, 'memory' | 'sizes'>> {
  await using rig = await startRig(sizes.sockets)
  console.log('Callbacks: two nodes and a Redis each, the prototype and the gateway in turns …')
  const callbacks = await measureCallbacks(rig, sizes.callbacks)
  console.log('Flows: connect, register, callback, close …')
  const flows = await measureFlows(rig, sizes.flows)
  console.log('Callbacks while other registrations are pending …')
  const pending = await measurePending(rig, sizes.pending)
  return { callbacks, flows, pending }
}

function measureMemory(sizes: typeof FULL) {
  console.log('Memory of idle sockets, bare ws and the gateway in turns …')
  return measureIdleMemory(sizes.memory)
}
