import { inTurns, type Rounds } from '../gateway/turns.ts'
import { startWorker } from '../gateway/worker.ts'
import { cpuOf } from '../cpu.ts'
import type { BareFiles } from './bare-files.ts'
import { startMirror } from './mirror.ts'
import { askRaw, askSuccess, type RawAnswer } from './raw-answer.ts'
import { loadPaths } from './wrk.ts'

export const SERVED = ['br', 'gzip', 'plain', 'repository', 'unchanged', 'repositoryUnchanged'] as const
export type ServedName = (typeof SERVED)[number]
const HOSTS = ['nginx', 'bare', 'server'] as const
export type HostName = (typeof HOSTS)[number]

export interface Serving {
  readonly perSecond: number
  /** Microseconds of the server alone, for one answer. */
  readonly cpu: number
}
export type ServingRounds = Rounds<HostName, Serving>

export interface ServingResult {
  readonly rounds: Readonly<Record<ServedName, ServingRounds>>
  /** Of the body. */
  readonly bytes: Readonly<Record<ServedName, number>>
}

export interface ServingSizes {
  readonly seconds: number
  readonly rounds: number
}

interface Host {
  readonly port: number
  readonly pid: number
}

/** Where the index of one feed is on the server. */
export interface ServedIndex extends Host {
  readonly repositoryPath: string
}

interface Ask {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

interface Paths {
  readonly packages: string
  readonly gzip: string
  readonly br: string
  readonly repository: string
}

const CONNECTIONS = 32
const BARE_FILES = new URL('./bare-files.ts', import.meta.url)
const BARE_PATHS: Paths = { packages: '/packages', gzip: '/gzip', br: '/br', repository: '/repository' }
const PLACES = ['packages', 'gzip', 'br', 'repository'] as const
const CODINGS = { packages: 'identity', gzip: 'gzip', br: 'br', repository: 'identity' } as const
const HOPS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date'])

export async function measureServing(server: ServedIndex, sizes: ServingSizes): Promise<ServingResult> {
  const packages = await packagesPathOf(server)
  const paths = { packages, gzip: packages, br: packages, repository: server.repositoryPath }
  const answers = await readAnswers(server, paths)
  await using nginx = await startMirror({
    repository: answers.repository.body,
    packages: { identity: answers.packages.body, gzip: answers.gzip.body, br: answers.br.body },
  })
  using bare = startWorker<BareFiles>(BARE_FILES)
  const port = await bare.ask(
    'serve',
    PLACES.map((place) => bareFile(BARE_PATHS[place], answers[place])),
  )
  const hosts: Readonly<Record<HostName, Host>> = { nginx, bare: { port, pid: bare.pid }, server }
  const nginxPaths = {
    packages: '/packages.json',
    gzip: '/packages.json',
    br: '/br/packages.json',
    repository: '/repository.json',
  }
  const rounds: Partial<Record<ServedName, ServingRounds>> = {}
  const bytes: Partial<Record<ServedName, number>> = {}
  for (const name of SERVED) {
    const asks = {
      nginx: await askOf(name, nginx, nginxPaths),
      bare: await askOf(name, hosts.bare, BARE_PATHS),
      server: await askOf(name, server, paths),
    }
    bytes[name] = await requireSameAnswers(name, hosts, asks)
    rounds[name] = await inTurns(HOSTS, sizes.rounds, (host) =>
      measure(hosts[host], asks[host], sizes.seconds),
    )
  }
  return { rounds: rounds as ServingResult['rounds'], bytes: bytes as ServingResult['bytes'] }
}

async function packagesPathOf({ port, repositoryPath }: ServedIndex): Promise<string> {
  const { body } = await askSuccess(port, repositoryPath)
  const { packages } = JSON.parse(body.toString('utf8')) as { readonly packages: { readonly url: string } }
  return new URL(packages.url).pathname
}

async function readAnswers({ port }: Host, paths: Paths): Promise<Record<keyof Paths, RawAnswer>> {
  const ask = async (place: keyof Paths): Promise<[keyof Paths, RawAnswer]> => [
    place,
    await askSuccess(port, paths[place], { 'accept-encoding': CODINGS[place] }),
  ]
  return Object.fromEntries(await Promise.all(PLACES.map(ask))) as Record<keyof Paths, RawAnswer>
}

/** With every header that the server sends. */
function bareFile(path: string, { headers, body }: RawAnswer) {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    HOPS.has(name) || typeof value !== 'string' ? [] : [[name, value] as const],
  )
  return { path, headers: Object.fromEntries(kept), body: body.toString('base64') }
}

async function askOf(name: ServedName, { port }: Host, paths: Paths): Promise<Ask> {
  if (name === 'repository') return { path: paths.repository, headers: {} }
  if (name === 'plain') return { path: paths.packages, headers: {} }
  if (name === 'br' || name === 'gzip') return { path: paths[name], headers: { 'Accept-Encoding': name } }
  const path = name === 'unchanged' ? paths.packages : paths.repository
  const { headers } = await askSuccess(port, path)
  return { path, headers: { 'If-None-Match': headers.etag ?? '' } }
}

/** Two that answer differently do not do the same work. Answers the bytes of the body. */
export async function requireSameAnswers(
  name: string,
  hosts: Readonly<Record<HostName, Pick<Host, 'port'>>>,
  asks: Readonly<Record<HostName, Ask>>,
): Promise<number> {
  const answers = await Promise.all(
    HOSTS.map((host) => askRaw(hosts[host].port, asks[host].path, asks[host].headers)),
  )
  const expected = 'If-None-Match' in asks.server.headers ? 304 : 200
  const [first] = answers
  const areSame = answers.every(
    ({ status, body }) => status === expected && first !== undefined && body.equals(first.body),
  )
  if (areSame) return first?.body.length ?? 0
  const told = HOSTS.map((host, index) => `${host} ${answers[index]?.status} ${answers[index]?.body.length}`)
  throw new Error(`${name}: status and bytes differ: ${told.join(', ')}`)
}

async function measure({ port, pid }: Host, { path, headers }: Ask, seconds: number): Promise<Serving> {
  const before = cpuOf(pid)
  const load = { port, paths: [path], headers, connections: CONNECTIONS, seconds }
  const { requests, perSecond } = await loadPaths(load)
  return { perSecond, cpu: ((cpuOf(pid) - before) * 1e6) / requests }
}
