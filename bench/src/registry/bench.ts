import { barPlot, linePlot, panel } from '../plot.ts'
import {
  atLeast,
  type Bench,
  type Goal,
  judge,
  medianOf,
  missedGoals,
  named,
  type Rounds,
  ratioOf,
  type Series,
  series,
  spreadOf,
  strongRatio,
  table,
  thousands,
  times,
  verdictOf,
} from '../report.ts'
import {
  ARCHIVE_HOSTS,
  type ArchiveHost,
  type ArchiveServingResult,
  type ArchiveSizes,
  measureArchiveServing,
} from './archive-serving.ts'
import { type Download, type DownloadSizes, measureDownload, type ReaderName } from './download.ts'
import { SEARCHES, type SearchName } from './reading.ts'
import { startRig } from './rig.ts'
import { measureScale, type ScaleResult, type ScaleSizes, type SizeCost } from './scale.ts'
import { type HostName, SERVED, type ServedName, type Serving } from './serving.ts'
import { measureValidation, type ValidationResult, type ValidationSizes } from './validation.ts'

interface Sizes {
  readonly validation: ValidationSizes
  readonly download: DownloadSizes
  readonly archives: ArchiveSizes
  readonly scale: ScaleSizes
}

export interface RegistryFigures {
  readonly validation: ValidationResult
  readonly download: Rounds<ReaderName, Download>
  readonly archives: ArchiveServingResult
  readonly scale: ScaleResult
}

const GOALS = {
  validation: atLeast(0.8),
  index: atLeast(0.8),
  download: atLeast(0.5),
  archives: atLeast(0.4),
  verdaccio: atLeast(2),
}

/** What each kind of answer should reach behind the shipped nginx; the uncompressed list is there to compare. */
const SERVED_ROWS: Readonly<Record<ServedName, readonly [text: string, goal?: Goal]>> = {
  br: ['packages.json, br', GOALS.index],
  gzip: ['packages.json, gzip', GOALS.index],
  plain: ['packages.json, not compressed'],
  repository: ['repository.json', GOALS.index],
  unchanged: ['packages.json, 304', GOALS.index],
  repositoryUnchanged: ['repository.json, 304', GOALS.index],
}

const SEARCH_TEXTS: Readonly<Record<SearchName, string>> = {
  words: 'two words',
  prefix: 'three letters of a word',
  filters: 'type, platform, tool version, status',
  wordsAndFilters: 'two words and these filters',
  tag: 'a tag',
  browse: 'nothing: what changed last',
}

const milliseconds = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`
const perSecond = (each: { readonly perSecond: number }) => each.perSecond
const cpuTexts = <Name extends string>(cpu: Series<Name>, hosts: readonly Name[]) =>
  `${hosts.map((host) => medianOf(host)(cpu)).join(', ')} µs`

function validationRows({ synthetic, real }: ValidationResult) {
  const row = (name: string, rounds: ValidationResult['synthetic']) =>
    series(name, rounds, (rate) => rate, thousands, GOALS.validation)
  const made = row('made up, three versions each', synthetic)
  return real === undefined ? [made] : [made, row(`${real.packages} of public repositories`, real.rounds)]
}

const servedRow = (name: ServedName, rounds: Rounds<HostName, Serving>) => {
  const [text, goal] = SERVED_ROWS[name]
  return {
    ...series(text, rounds, perSecond, thousands, goal),
    key: name,
    cpu: series(
      text,
      rounds,
      ({ cpu }) => cpu,
      (value) => value.toFixed(0),
    ),
  }
}

function archiveRows({ costs }: ArchiveServingResult) {
  return costs.map(({ bytes, connections, rounds }) => ({
    bytes,
    connections,
    rate: series('rate', rounds, perSecond, thousands),
    cpu: series('CPU', rounds, ({ cpu }) => cpu, thousands),
  }))
}

function archivesTable(archives: ArchiveServingResult): string {
  type Row = ReturnType<typeof archiveRows>[number]
  const has = (host: ArchiveHost) => archives.hosts.includes(host)
  const rate = (heading: string, host: ArchiveHost) =>
    [heading, (row: Row) => (has(host) ? medianOf(host)(row.rate) : 'not here')] as const
  const against = (heading: string, ours: ArchiveHost, theirs: 'nginx' | 'verdaccio') => {
    const goal = theirs === 'nginx' ? GOALS.archives : GOALS.verdaccio
    const cell = ({ rate: each }: Row) =>
      has(ours) && has(theirs)
        ? `${strongRatio(ours, theirs)(each)} (${spreadOf(ours, theirs)(each)}), ${judge(each.ratio(ours, theirs), goal)}`
        : ''
    return [heading, cell] as const
  }
  return table(archiveRows(archives), [
    ['bytes', ({ bytes }) => thousands(bytes)],
    ['connections', ({ connections }) => `${connections}`],
    rate('nginx, a second', 'nginx'),
    rate('verdaccio', 'verdaccio'),
    rate('server, folder', 'files'),
    rate('server, S3', 's3'),
    rate('the bucket itself', 'bucket'),
    against('folder / nginx', 'files', 'nginx'),
    against('folder / verdaccio', 'files', 'verdaccio'),
    against('S3 / nginx', 's3', 'nginx'),
    against('S3 / verdaccio', 's3', 'verdaccio'),
    ['CPU of an answer, in this order', ({ cpu }) => cpuTexts(cpu, ARCHIVE_HOSTS.filter(has))],
  ])
}

function downloadTable(rate: Series<ReaderName>, cpu: Series<ReaderName>): string {
  type Row = readonly [reader: ReaderName, text: string]
  const rows: readonly Row[] = [
    ['openssl', '`openssl dgst -sha256`, no network, nothing written'],
    ['curl', '`curl` to disk, nothing checked'],
    ['manager', 'package manager, to disk and checked'],
  ]
  const unlessManager = (cell: (reader: ReaderName) => string) => (row: Row) =>
    row[0] === 'manager' ? '' : cell(row[0])
  return table(rows, [
    ['', ([, text]) => text],
    ['rate', ([reader]) => medianOf(reader)(rate)],
    ['its CPU', ([reader]) => medianOf(reader)(cpu)],
    [
      'package manager / this',
      unlessManager((reader) =>
        (reader === 'openssl' ? strongRatio : ratioOf)<ReaderName>('manager', reader)(rate),
      ),
    ],
    ['in single rounds', unlessManager((reader) => spreadOf<ReaderName>('manager', reader)(rate))],
    ['goal', ([reader]) => (reader === 'openssl' ? verdictOf<ReaderName>('openssl', 'manager')(rate) : '')],
  ])
}

function publishTable({ sizes }: ScaleResult): string {
  const columns = (side: 'unsigned' | 'signed', heading: string) =>
    [
      [heading, (row: SizeCost) => milliseconds(row[side].p50Ms)],
      ['p99', (row: SizeCost) => milliseconds(row[side].p99Ms)],
      [
        'CPU, server and PostgreSQL',
        (row: SizeCost) =>
          `${milliseconds(row[side].cpuMs.server)}, ${milliseconds(row[side].cpuMs.postgres)}`,
      ],
    ] as const
  return table(sizes, [
    ['packages', ({ packages }) => thousands(packages)],
    ...columns('unsigned', 'median'),
    ...columns('signed', 'signed: median'),
    ['first signing of everything', ({ firstSigningSeconds }) => `${firstSigningSeconds.toFixed(0)} s`],
  ])
}

function publishText({ sizes, withWholeFeed }: ScaleResult): string {
  const [smallest, largest] = [sizes.at(0), sizes.at(-1)]
  if (smallest === undefined || largest === undefined) throw new Error('nothing was measured')
  const slope = (pick: (cost: SizeCost) => number) => times(pick(largest) / pick(smallest))
  const late = sizes.reduce((sum, { unsigned, signed }) => sum + unsigned.late + signed.late, 0)
  return `From ${thousands(smallest.packages)} to ${thousands(largest.packages)} packages the median becomes ${slope(({ unsigned }) => unsigned.p50Ms)} times as long (CPU of the server: ${slope(({ unsigned }) => unsigned.cpuMs.server)} times), with signatures ${slope(({ signed }) => signed.p50Ms)} times (${slope(({ signed }) => signed.cpuMs.server)} times).
While the list of all packages is small enough to be built, a publish builds that too: with ${thousands(smallest.packages)} packages it takes ${withWholeFeed.p50Ms.toFixed(0)} ms (p99 ${withWholeFeed.p99Ms.toFixed(0)} ms).
${late === 0 ? 'Every publish was answered with the feeds built.' : `${late} publishes were answered after 2 s, before the feeds were built.`}`
}

function searchTable({ search }: ScaleResult['reading']): string {
  const rows = SEARCHES.map((name) => ({
    ...series(SEARCH_TEXTS[name], search[name], ({ p50Ms }) => p50Ms, milliseconds),
    p99: series('p99', search[name], ({ p99Ms }) => p99Ms, milliseconds),
  }))
  return table(rows, [
    ['search for', named],
    ['SQL, median', medianOf('sql')],
    ['p99', ({ p99 }) => medianOf('sql')(p99)],
    ['over HTTP, median', medianOf('server')],
    ['p99', ({ p99 }) => medianOf('server')(p99)],
    ['SQL / HTTP, medians', ratioOf('sql', 'server')],
  ])
}

function sparseText({ sparse }: ScaleResult['reading']): string {
  const rate = series('rate', sparse, perSecond, thousands)
  const p99 = series('p99', sparse, ({ p99Ms }) => p99Ms, milliseconds)
  return `Sparse files: ${medianOf('server')(rate)} a second (p99 ${medianOf('server')(p99)}), the bare loop ${medianOf('sql')(rate)}; ratio ${strongRatio('server', 'sql')(rate)}.`
}

/** What the registry and the package manager cost against bare engines, side by side in one run. */
export const registry: Bench<Sizes, RegistryFigures> = {
  full: {
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
  },
  smoke: {
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
  },

  async measure(sizes) {
    console.log('Validation, bare Ajv and ours in turns …')
    const validation = await measureValidation(sizes.validation)
    console.log('Downloads, openssl, the package manager and curl in turns …')
    const download = await measureDownload(sizes.download)
    console.log('Archives beside nginx and verdaccio, from a folder and from S3 …')
    const archives = await measureArchives(sizes.archives)
    console.log('The index beside nginx, publishing, sparse files and search beside SQL …')
    await using rig = await startRig()
    return { validation, download, archives, scale: await measureScale(rig, sizes.scale) }
  },

  report({ validation, download, archives, scale }) {
    const { rounds, bytes } = scale.serving
    const validated = validationRows(validation)
    const served = SERVED.map((name) => servedRow(name, rounds[name]))
    const unchanged = servedRow('unchanged', rounds.unchanged)
    const rate = series(
      'download',
      download,
      ({ megabytesPerSecond }) => megabytesPerSecond,
      (value) => `${value.toFixed(0)} MiB/s`,
      GOALS.download,
    )
    const cpu = series(
      'CPU',
      download,
      (each) => each.cpu,
      (value) => `${value.toFixed(2)} s`,
    )
    const plain = { ...rate, show: thousands }
    const plotted = served.filter(({ key }) => key !== 'plain' && key !== 'repositoryUnchanged')
    return {
      parts: {
        validation: table(validated, [
          ['packages per second', named],
          ['bare Ajv', medianOf('ajv')],
          ['`createPackageValidator`', medianOf('ours')],
          ['ratio', strongRatio('ours', 'ajv')],
          ['in single rounds', spreadOf('ours', 'ajv')],
          ['goal', verdictOf('ajv', 'ours')],
        ]),
        index: table(served, [
          ['answers per second', named],
          ['bytes', ({ key }) => thousands(bytes[key])],
          ['nginx', medianOf('nginx')],
          ['behind the nginx of `deploy/`', medianOf('deployed')],
          ['server', medianOf('server')],
          ['behind nginx / nginx', strongRatio('deployed', 'nginx')],
          ['in single rounds', spreadOf('deployed', 'nginx')],
          ['server / nginx', ratioOf('server', 'nginx')],
          ['CPU of an answer, in this order', (row) => cpuTexts(row.cpu, ['nginx', 'deployed', 'server'])],
          ['goal', verdictOf('nginx', 'deployed')],
        ]),
        archives: archivesTable(archives),
        download: downloadTable(rate, cpu),
        publishing: publishTable(scale),
        'publishing-growth': publishText(scale),
        sparse: sparseText(scale.reading),
        search: searchTable(scale.reading),
        missed: missedGoals([
          ...validated
            .slice(0, 1)
            .map((row) => ['validation', row.ratio('ours', 'ajv'), GOALS.validation] as const),
          ...served.flatMap(({ name, goal, ratio }) =>
            goal === undefined ? [] : [[name, ratio('deployed', 'nginx'), goal] as const],
          ),
          ...archiveRows(archives).flatMap(({ bytes: size, rate: each }) =>
            (['files', 's3'] as const)
              .filter((host) => archives.hosts.includes(host))
              .map((host) => {
                const place = host === 'files' ? 'a folder' : 'S3'
                return [
                  `${thousands(size)} bytes from ${place}`,
                  each.ratio(host, 'nginx'),
                  GOALS.archives,
                ] as const
              }),
          ),
          ['download', rate.ratio('manager', 'openssl'), GOALS.download],
        ]),
        'cpu-304-server': `${medianOf('server')(unchanged.cpu)} µs`,
        'cpu-304-nginx': `${medianOf('nginx')(unchanged.cpu)} µs`,
        'cpu-openssl': medianOf('openssl')(cpu),
        'cpu-manager': medianOf('manager')(cpu),
      },
      plots: {
        'registry-ratios.svg': barPlot(
          'The registry beside bare engines',
          ['bare engine', 'ours'],
          [
            ...validated
              .slice(0, 1)
              .map((row) =>
                panel('Packages validated per second, Ajv and ours', row, ['ajv', 'ours'], ['ajv', 'bare']),
              ),
            ...plotted.map((row) =>
              panel(
                `${row.name}: answers per second, nginx and the server behind it`,
                row,
                ['nginx', 'deployed'],
                ['nginx', 'bare'],
              ),
            ),
            panel(
              'MiB per second, openssl hashing a file and the package manager downloading it',
              plain,
              ['openssl', 'manager'],
              ['openssl', 'bare'],
            ),
          ],
        ),
        'registry-publish.svg': linePlot({
          title: 'Publishing one version while others are there',
          xTitle: 'packages, three versions each',
          yTitle: 'ms until the feeds carry it, median',
          lines: [
            {
              name: 'not signed',
              color: 0,
              points: scale.sizes.map(({ packages, unsigned }) => [packages, unsigned.p50Ms]),
            },
            {
              name: 'signed',
              color: 2,
              points: scale.sizes.map(({ packages, signed }) => [packages, signed.p50Ms]),
            },
          ],
        }),
      },
    }
  },
}

/** With a database of its own: what is published here is not what the index is measured with. */
async function measureArchives(sizes: ArchiveSizes): Promise<ArchiveServingResult> {
  await using rig = await startRig()
  return await measureArchiveServing(rig, sizes)
}
