import { mkdir, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { measureArchiveServing } from './archive-serving.ts'
import { measureDownload } from './download.ts'
import type { RegistryFigures, RegistrySizes } from './figures.ts'
import { registryPlots } from './plots.ts'
import { registryReport } from './report.ts'
import { startRig } from './rig.ts'
import { measureScale } from './scale.ts'
import { measureValidation } from './validation.ts'

export const FULL: RegistrySizes = {
  validation: { packages: 1_000, seconds: 1, rounds: 5 },
  download: { megabytes: 512, rounds: 5 },
  archives: {
    archives: [
      { bytes: 20_000, connections: 32, seconds: 2 },
      { bytes: 1_000_000, connections: 32, seconds: 2 },
      { bytes: 100_000_000, connections: 4, seconds: 5 },
    ],
    rounds: 5,
  },
  scale: {
    packages: [1_000, 10_000, 100_000],
    publishing: { publishes: 20, warmUp: 2 },
    reading: { seconds: 2, rounds: 3, queries: 20 },
    serving: { seconds: 1, rounds: 5 },
    indexBytes: 1024 ** 2,
  },
}
export const SMOKE: RegistrySizes = {
  validation: { packages: 50, seconds: 0.02, rounds: 1 },
  download: { megabytes: 8, rounds: 1 },
  archives: {
    archives: [
      { bytes: 20_000, connections: 4, seconds: 0.2 },
      { bytes: 100_000, connections: 2, seconds: 0.2 },
      { bytes: 5_000_000, connections: 2, seconds: 0.5 },
    ],
    rounds: 1,
  },
  scale: {
    packages: [100],
    publishing: { publishes: 2, warmUp: 0 },
    // A tenth of a second is over before a busy machine has answered once.
    reading: { seconds: 1, rounds: 1, queries: 3 },
    serving: { seconds: 0.5, rounds: 1 },
    indexBytes: 64 * 1024,
  },
}
const DOCS = new URL('../../../docs/benchmarks/', import.meta.url)

/** What the registry and the package manager cost against bare engines, side by side in one run. */
export async function benchRegistry(smoke: boolean): Promise<void> {
  const load = loadavg()[0] ?? Number.NaN
  const figures = await measureAll(smoke ? SMOKE : FULL)
  const report = registryReport(figures, load)
  console.log(`\n${report}`)
  if (smoke) return
  await mkdir(DOCS, { recursive: true })
  await writeFile(new URL('registry.md', DOCS), report)
  for (const [name, svg] of Object.entries(registryPlots(figures))) await writeFile(new URL(name, DOCS), svg)
  console.log('written to docs/benchmarks/registry.md')
}

async function measureAll(sizes: RegistrySizes): Promise<RegistryFigures> {
  console.log('Validation, bare Ajv and ours in turns …')
  const validation = await measureValidation(sizes.validation)
  console.log('Downloads, openssl, the package manager and curl in turns …')
  const download = await measureDownload(sizes.download)
  console.log('Archives beside nginx and verdaccio, from a folder and from S3 …')
  const archives = await measureArchives(sizes)
  console.log('The index beside nginx, publishing, sparse files and search beside SQL …')
  await using rig = await startRig()
  const scale = await measureScale(rig, sizes.scale)
  return { validation, download, archives, scale, sizes }
}

/** With a database of its own: what is published here is not what the index is measured with. */
async function measureArchives(sizes: RegistrySizes) {
  await using rig = await startRig()
  return await measureArchiveServing(rig, sizes.archives)
}
