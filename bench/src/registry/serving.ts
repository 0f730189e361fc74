import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type RunningNginx, startNginx } from '@patchbay/testkit/nginx'
import { askRaw, askSuccess, loadWith, type RawAnswer, type Request } from '../http.ts'
import { cpuOf, withCpu } from '../processes.ts'
import { inTurns, type Rounds } from '../report.ts'

export const SERVED = ['br', 'gzip', 'plain', 'repository', 'unchanged', 'repositoryUnchanged'] as const
export type ServedName = (typeof SERVED)[number]
const HOSTS = ['nginx', 'deployed', 'server'] as const
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

export interface Host {
  readonly port: number
  readonly pid: number
}

/** Where the index of one feed is on the server. */
export interface ServedIndex extends Host {
  readonly repositoryPath: string
}

interface Paths {
  readonly packages: string
  readonly gzip: string
  readonly br: string
  readonly repository: string
}

const CONNECTIONS = 32
const DEPLOYED = new URL('../../../deploy/nginx/patchbay.conf', import.meta.url)
const PLACES = ['packages', 'gzip', 'br', 'repository'] as const
const CODINGS = { packages: 'identity', gzip: 'gzip', br: 'br', repository: 'identity' } as const

export async function measureServing(server: ServedIndex, sizes: ServingSizes): Promise<ServingResult> {
  const packages = await packagesPathOf(server)
  const paths = { packages, gzip: packages, br: packages, repository: server.repositoryPath }
  const answers = await readAnswers(server, paths)
  await using nginx = await startFiles(
    {
      'repository.json': answers.repository.body,
      'packages.json': answers.packages.body,
      'packages.json.gz': answers.gzip.body,
      'br/packages.json': answers.br.body,
    },
    INDEX_CONFIG,
  )
  await using deployed = await startDeployed(server)
  const hosts: Readonly<Record<HostName, Host>> = { nginx, deployed, server }
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
      deployed: await askOf(name, deployed, paths),
      server: await askOf(name, server, paths),
    }
    bytes[name] = await requireSameAnswers(name, hosts, asks)
    const load = { connections: CONNECTIONS, seconds: sizes.seconds }
    rounds[name] = await inTurns(HOSTS, sizes.rounds, (host) => serve(hosts[host], asks[host], load))
  }
  return { rounds: rounds as ServingResult['rounds'], bytes: bytes as ServingResult['bytes'] }
}

async function packagesPathOf({ port, repositoryPath }: ServedIndex): Promise<string> {
  const { body } = await askSuccess(port, { path: repositoryPath })
  const { packages } = JSON.parse(body.toString('utf8')) as { readonly packages: { readonly url: string } }
  return new URL(packages.url).pathname
}

async function readAnswers({ port }: Host, paths: Paths): Promise<Record<keyof Paths, RawAnswer>> {
  const ask = async (place: keyof Paths): Promise<[keyof Paths, RawAnswer]> => [
    place,
    await askSuccess(port, { path: paths[place], headers: { 'accept-encoding': CODINGS[place] } }),
  ]
  return Object.fromEntries(await Promise.all(PLACES.map(ask))) as Record<keyof Paths, RawAnswer>
}

async function askOf(name: ServedName, { port }: Host, paths: Paths): Promise<Request> {
  if (name === 'repository') return { path: paths.repository, headers: {} }
  if (name === 'plain') return { path: paths.packages, headers: {} }
  if (name === 'br' || name === 'gzip') return { path: paths[name], headers: { 'Accept-Encoding': name } }
  const path = name === 'unchanged' ? paths.packages : paths.repository
  const { headers } = await askSuccess(port, { path })
  return { path, headers: { 'If-None-Match': headers.etag ?? '' } }
}

/** Two that answer differently do not do the same work. Answers the bytes of the body. */
export async function requireSameAnswers(
  name: string,
  hosts: Readonly<Record<HostName, Pick<Host, 'port'>>>,
  asks: Readonly<Record<HostName, Request>>,
): Promise<number> {
  const answers = await Promise.all(HOSTS.map((host) => askRaw(hosts[host].port, asks[host])))
  const expected = 'If-None-Match' in (asks.server.headers ?? {}) ? 304 : 200
  const [first] = answers
  const areSame = answers.every(
    ({ status, body }) => status === expected && first !== undefined && body.equals(first.body),
  )
  if (areSame) return first?.body.length ?? 0
  const told = HOSTS.map((host, index) => `${host} ${answers[index]?.status} ${answers[index]?.body.length}`)
  throw new Error(`${name}: status and bytes differ: ${told.join(', ')}`)
}

/** Microseconds of the host's CPU for one answer, beside how many it gives. */
export async function serve(
  { port, pid }: Host,
  request: Request,
  load: { readonly connections: number; readonly seconds: number },
): Promise<Serving> {
  const { result, cpu } = await withCpu({ host: () => cpuOf(pid) }, () =>
    loadWith({ port, requests: [request], ...load }),
  )
  return { perSecond: result.perSecond, cpu: cpu.host / result.requests }
}

/**
 * The shipped configuration before this server. Without TLS, which would be most of what is measured; nothing else is
 * changed but ports and places.
 */
async function startDeployed({ port: node }: Host): Promise<RunningNginx> {
  const shipped = await readFile(DEPLOYED, 'utf8')
  return await startNginx({
    ports: 2,
    config: ({ folder, ports: [main, redirect] }) =>
      shipped
        .replaceAll(/^ *(?:ssl_|listen \[::\]).*$/gmu, '')
        .replace('listen 80;', `listen 127.0.0.1:${redirect};`)
        .replace('listen 443 ssl http2;', `listen 127.0.0.1:${main};`)
        .replace('127.0.0.1:8790', `127.0.0.1:${node}`)
        .replace('/var/cache/nginx-patchbay', `${folder}/cache`)
        .replaceAll('/var/log/nginx/', ''),
  })
}

/** nginx as one would tune it for this: one process, sendfile, open files remembered, no log, connections kept. */
export async function startFiles(
  files: Readonly<Record<string, Buffer>>,
  config = '',
): Promise<RunningNginx> {
  return await startNginx({
    config: async ({ folder, port }) => {
      const www = join(folder, 'www')
      for (const [name, bytes] of Object.entries(files)) {
        await mkdir(dirname(join(www, name)), { recursive: true })
        await writeFile(join(www, name), bytes)
      }
      return `
        sendfile on; tcp_nopush on; tcp_nodelay on;
        keepalive_timeout 300s; keepalive_requests 100000000;
        open_file_cache max=100 inactive=300s; open_file_cache_valid 300s;
        types { application/json json; }
        server { listen 127.0.0.1:${port}; access_log off; root ${www}; ${config} }`
    },
  })
}

const INDEX_CONFIG = `
  gzip_static on;
  gzip_vary on;
  add_header Cache-Control "public, max-age=31536000, immutable";
  location /br/ {
    gzip_static off;
    add_header Content-Encoding br;
    add_header Vary Accept-Encoding;
    add_header Cache-Control "public, max-age=31536000, immutable";
  }`
