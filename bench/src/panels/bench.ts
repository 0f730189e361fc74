import { mkdir, writeFile } from 'node:fs/promises'
import type { PanelFigures, PanelSizes } from './figures.ts'
import { panelPlots } from './plots.ts'
import { panelReport } from './report.ts'
import { startRig } from './rig.ts'
import { measureTrips } from './round-trips.ts'
import { measureSocketMemory } from './socket-memory.ts'

export const FULL: PanelSizes = {
  trips: { actions: 2_000, rounds: 7, crowd: 16 },
  memory: { workspaces: 2_000, rounds: 3 },
}
export const SMOKE: PanelSizes = {
  trips: { actions: 50, rounds: 1, crowd: 4 },
  memory: { workspaces: 60, rounds: 1 },
}
const DOCS = new URL('../../../docs/benchmarks/', import.meta.url)

/** What panel control costs against a bare echo, side by side in one run. */
export async function benchPanels(smoke: boolean): Promise<void> {
  const figures = await measureAll(smoke ? SMOKE : FULL)
  const report = panelReport(figures)
  console.log(`\n${report}`)
  if (smoke) return
  await mkdir(DOCS, { recursive: true })
  await writeFile(new URL('panels.md', DOCS), report)
  for (const [name, svg] of Object.entries(panelPlots(figures))) await writeFile(new URL(name, DOCS), svg)
  console.log('written to docs/benchmarks/panels.md')
}

async function measureAll(sizes: PanelSizes): Promise<PanelFigures> {
  await using rig = await startRig()
  console.log('Round trips: the prototype and the server in turns …')
  const trips = await measureTrips(rig, sizes.trips)
  console.log('Memory of open workspaces, bare ws and the server in turns …')
  const memory = await measureSocketMemory(rig, sizes.memory)
  return { trips, memory, sizes }
}
