import { atLeast, type Goal } from '../gateway/tables.ts'
import { middle, ratio, type Rounds } from '../gateway/turns.ts'
import { ARCHIVE_HOSTS, type ArchiveHost } from './archive-serving.ts'
import { type RegistryFigures, GOALS } from './figures.ts'
import type { SearchName } from './search-queries.ts'
import type { ServedName } from './serving.ts'

export const SERVED_TEXTS: Readonly<Record<ServedName, string>> = {
  br: 'packages.json, br',
  gzip: 'packages.json, gzip',
  plain: 'packages.json, not compressed',
  repository: 'repository.json',
  unchanged: 'packages.json, 304',
  repositoryUnchanged: 'repository.json, 304',
}

const SEARCH_TEXTS: Readonly<Record<SearchName, string>> = {
  words: 'two words',
  prefix: 'three letters of a word',
  filters: 'type, platform, tool version, status',
  wordsAndFilters: 'two words and these filters',
  tag: 'a tag',
  browse: 'nothing: what changed last',
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const milliseconds = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`
const thousands = (value: number) => Math.round(value).toLocaleString('en-US')
const same = (value: number) => value

/** The least and the most of the rounds' ratios: how far a single run may be off. */
function spread<Name extends string, Result>(
  rounds: Rounds<Name, Result>,
  ours: Name,
  theirs: Name,
  pick: (result: Result) => number,
): string {
  const ratios = rounds.map((round) => pick(round[ours]) / pick(round[theirs]))
  return `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
}

function verdict(value: number, goal: Goal | undefined): string {
  if (goal === undefined) return ''
  return `${goal.text}: ${goal.isReached(value) ? 'reached' : 'not reached'}`
}

export function validationTable({ validation }: RegistryFigures): string {
  const { synthetic, real } = validation
  const goal = atLeast(GOALS.validation)
  const named = [
    ['made up, three versions each', synthetic] as const,
    ...(real === undefined ? [] : [[`${real.packages} of public repositories`, real.rounds] as const]),
  ]
  const lines = named.map(([name, rounds]) => {
    const against = ratio(rounds, 'ours', 'ajv', same)
    return row([
      name,
      thousands(middle(rounds, 'ajv', same)),
      thousands(middle(rounds, 'ours', same)),
      `**${against.toFixed(2)}**`,
      spread(rounds, 'ours', 'ajv', same),
      verdict(against, goal),
    ])
  })
  return [
    '| packages per second | bare Ajv | `createPackageValidator` | ratio | in single rounds | goal |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

/** What each kind of answer should reach; the uncompressed list is there to compare. */
export const SERVING_GOALS: Partial<Readonly<Record<ServedName, number>>> = {
  br: GOALS.serving,
  gzip: GOALS.serving,
  repository: GOALS.serving,
  unchanged: GOALS.unchanged,
  repositoryUnchanged: GOALS.unchanged,
}

export function servingTable({ scale }: RegistryFigures): string {
  const { rounds, bytes } = scale.serving
  const lines = Object.entries(SERVED_TEXTS).map(([key, text]) => {
    const name = key as ServedName
    const each = rounds[name]
    const rate = ({ perSecond }: { readonly perSecond: number }) => perSecond
    const against = ratio(each, 'server', 'nginx', rate)
    const goal = SERVING_GOALS[name]
    const cpus = (['nginx', 'bare', 'server'] as const).map((host) =>
      middle(each, host, ({ cpu }) => cpu).toFixed(0),
    )
    return row([
      text,
      thousands(bytes[name]),
      ...(['nginx', 'bare', 'server'] as const).map((host) => thousands(middle(each, host, rate))),
      `**${against.toFixed(2)}**`,
      spread(each, 'server', 'nginx', rate),
      ratio(each, 'bare', 'nginx', rate).toFixed(2),
      ratio(each, 'server', 'bare', rate).toFixed(2),
      `${cpus.join(', ')} µs`,
      verdict(against, goal === undefined ? undefined : atLeast(goal)),
    ])
  })
  return [
    '| answers per second | bytes | nginx | bare `node:http` | server | server / nginx | in single rounds | bare / nginx | server / bare | CPU of an answer, in this order | goal |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

export function archivesTable({ archives }: RegistryFigures): string {
  const rate = ({ perSecond }: { readonly perSecond: number }) => perSecond
  const has = (host: ArchiveHost) => archives.hosts.includes(host)
  const lines = archives.costs.map(({ bytes, connections, rounds }) => {
    const ratios = (['files', 's3'] as const).flatMap((ours) =>
      (['nginx', 'verdaccio'] as const).map((theirs) => {
        if (!has(ours) || !has(theirs)) return ''
        const against = ratio(rounds, ours, theirs, rate)
        const goal = atLeast(theirs === 'nginx' ? GOALS.archives : GOALS.archivesOfVerdaccio)
        return `**${against.toFixed(2)}** (${spread(rounds, ours, theirs, rate)}), ${verdict(against, goal)}`
      }),
    )
    const rates = ARCHIVE_HOSTS.map((host) =>
      has(host) ? thousands(middle(rounds, host, rate)) : 'not here',
    )
    const cpus = ARCHIVE_HOSTS.map((host) =>
      has(host) ? thousands(middle(rounds, host, ({ cpu }) => cpu)) : '–',
    )
    return row([thousands(bytes), `${connections}`, ...rates, ...ratios, `${cpus.join(', ')} µs`])
  })
  return [
    '| bytes | connections | nginx, a second | verdaccio | server, folder | server, S3 | the bucket itself | folder / nginx | folder / verdaccio | S3 / nginx | S3 / verdaccio | CPU of an answer, in this order |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

export function downloadTable({ download }: RegistryFigures): string {
  const rate = ({ megabytesPerSecond }: { readonly megabytesPerSecond: number }) => megabytesPerSecond
  const against = (other: 'openssl' | 'curl') => ratio(download, 'manager', other, rate)
  const texts = {
    openssl: '`openssl dgst -sha256`, no network, nothing written',
    curl: '`curl` to disk, nothing checked',
    manager: 'package manager, to disk and checked',
  } as const
  const lines = (['openssl', 'curl', 'manager'] as const).map((name) =>
    row([
      texts[name],
      `${middle(download, name, rate).toFixed(0)} MiB/s`,
      `${middle(download, name, ({ cpu }) => cpu).toFixed(2)} s`,
      name === 'manager'
        ? ''
        : `${name === 'openssl' ? '**' : ''}${against(name).toFixed(2)}${name === 'openssl' ? '**' : ''}`,
      name === 'manager' ? '' : spread(download, 'manager', name, rate),
      name === 'openssl' ? verdict(against(name), atLeast(GOALS.download)) : '',
    ]),
  )
  return [
    '| | rate | its CPU | package manager / this | in single rounds | goal |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

export function publishTable({ scale }: RegistryFigures): string {
  const lines = scale.sizes.map(({ packages, unsigned, signed, firstSigningSeconds }) =>
    row([
      thousands(packages),
      ...[unsigned, signed].flatMap(({ p50Ms, p99Ms, cpuMs }) => [
        milliseconds(p50Ms),
        milliseconds(p99Ms),
        `${milliseconds(cpuMs.server)}, ${milliseconds(cpuMs.postgres)}`,
      ]),
      `${firstSigningSeconds.toFixed(0)} s`,
    ]),
  )
  return [
    '| packages | median | p99 | CPU, server and PostgreSQL | signed: median | p99 | CPU, server and PostgreSQL | first signing of everything |',
    '|---|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

export function readingTable({ scale }: RegistryFigures): string {
  const { sparse, search } = scale.reading
  const rate = ({ perSecond }: { readonly perSecond: number }) => perSecond
  const median = ({ p50Ms }: { readonly p50Ms: number }) => p50Ms
  const last = ({ p99Ms }: { readonly p99Ms: number }) => p99Ms
  const lines = Object.entries(SEARCH_TEXTS).map(([name, text]) => {
    const rounds = search[name as SearchName]
    const sides = (['sql', 'server'] as const).flatMap((side) => [
      milliseconds(middle(rounds, side, median)),
      milliseconds(middle(rounds, side, last)),
    ])
    return row([text, ...sides, ratio(rounds, 'sql', 'server', median).toFixed(2)])
  })
  return `Sparse files: ${thousands(middle(sparse, 'server', rate))} a second (p99 ${milliseconds(middle(sparse, 'server', last))}), the bare loop ${thousands(middle(sparse, 'sql', rate))}; ratio **${ratio(sparse, 'server', 'sql', rate).toFixed(2)}**.

${[
  '| search for | SQL, median | p99 | over HTTP, median | p99 | SQL / HTTP, medians |',
  '|---|---|---|---|---|---|',
  ...lines,
].join('\n')}`
}
