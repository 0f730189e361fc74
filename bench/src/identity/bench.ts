import { mkdir, writeFile } from 'node:fs/promises'
import type { IdentityFigures, IdentitySizes } from './figures.ts'
import { identityPlots } from './plots.ts'
import { identityReport } from './report.ts'
import { startRig } from './rig.ts'
import { measureStreamMemory } from './stream-memory.ts'
import { measureThroughput } from './throughput.ts'
import { measureWake } from './wake.ts'

export const FULL: IdentitySizes = {
  throughput: { seconds: 2, warmUpSeconds: 2, rounds: 5 },
  memory: { streams: 10_000, rounds: 3 },
  wake: { perSecond: 50, seconds: 7, rounds: 3, waiting: 1_000 },
}
export const SMOKE: IdentitySizes = {
  throughput: { seconds: 0.3, warmUpSeconds: 0, rounds: 1 },
  memory: { streams: 300, rounds: 1 },
  wake: { perSecond: 20, seconds: 1, rounds: 1, waiting: 50 },
}
const DOCS = new URL('../../../docs/benchmarks/', import.meta.url)

/** What logins cost against bare engines, side by side in one run. */
export async function benchIdentity(smoke: boolean): Promise<void> {
  const figures = await measureAll(smoke ? SMOKE : FULL)
  const report = identityReport(figures)
  console.log(`\n${report}`)
  if (smoke) return
  await mkdir(DOCS, { recursive: true })
  await writeFile(new URL('identity.md', DOCS), report)
  for (const [name, svg] of Object.entries(identityPlots(figures))) await writeFile(new URL(name, DOCS), svg)
  console.log('written to docs/benchmarks/identity.md')
}

async function measureAll(sizes: IdentitySizes): Promise<IdentityFigures> {
  await using rig = await startRig()
  console.log('Operations: the server over HTTP, a loop of the same statements, and pgbench in turns …')
  const throughput = await measureThroughput(rig, sizes.throughput)
  console.log('Memory of open streams, bare node:http and the server in turns …')
  const memory = await measureStreamMemory(rig, sizes.memory)
  console.log('Wake-ups across two nodes …')
  const wake = await measureWake(rig, sizes.wake)
  return { throughput, memory, wake, sizes }
}
