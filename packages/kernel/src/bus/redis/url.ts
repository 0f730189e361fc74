import { Secret } from '../../log/index.ts'

export interface RedisAddress {
  readonly host: string
  readonly port: number
}

interface Login {
  readonly username?: string
  readonly password?: Secret
}

export interface StandaloneTarget extends Login {
  readonly kind: 'standalone'
  readonly tls: boolean
  readonly address: RedisAddress
  readonly db: number
}

export interface SentinelTarget extends Login {
  readonly kind: 'sentinel'
  readonly tls: boolean
  readonly sentinels: readonly RedisAddress[]
  readonly master: string
  readonly db: number
  /** Whether the sentinels want the same login as the servers. */
  readonly sentinelLogin: boolean
}

export interface ClusterTarget extends Login {
  readonly kind: 'cluster'
  readonly tls: boolean
  readonly nodes: readonly RedisAddress[]
}

/** Where Redis is, as an operator writes it down in one URL. */
export type RedisTarget = StandaloneTarget | SentinelTarget | ClusterTarget

const SHAPE = /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^/?#]*)@)?([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/

/**
 * `redis://[user:password@]host[:port][/db]`,
 * `redis+sentinel://[user:password@]host[:port],…/master-name[/db][?sentinel_login=same]`,
 * `redis+cluster://[user:password@]host[:port],…`; `rediss…` for TLS.
 * Messages never quote the URL: a misplaced `@` or `/` would put the password into them.
 */
export function parseRedisUrl(url: string): RedisTarget {
  const match = SHAPE.exec(url)
  if (match === null) fail('it must begin with redis://, rediss://, or their +sentinel and +cluster forms')
  const [, scheme, kind = 'standalone', login, hosts = '', path = '', query = ''] = match
  const common = { tls: scheme === 'rediss', ...parseLogin(login) }
  const segments = path
    .split('/')
    .slice(1)
    .filter((segment) => segment !== '')
  const options = new URLSearchParams(query)
  const sentinelLogin = parseSentinelLogin(options, kind)
  if (kind === 'cluster') {
    if (segments.length > 0) fail('a cluster has no databases and no path')
    return { kind, ...common, nodes: parseHosts(hosts, 6379) }
  }
  if (kind === 'sentinel') {
    const [master, db, ...rest] = segments
    if (master === undefined || rest.length > 0) fail('the path must be /master-name or /master-name/db')
    return {
      kind,
      ...common,
      sentinels: parseHosts(hosts, 26_379),
      master: decode(master),
      db: parseDb(db),
      sentinelLogin,
    }
  }
  const [db, ...rest] = segments
  if (rest.length > 0) fail('the path must be empty or the number of a database')
  const [address, ...others] = parseHosts(hosts, 6379)
  if (address === undefined || others.length > 0)
    fail('several hosts need redis+sentinel:// or redis+cluster://')
  return { kind: 'standalone', ...common, address, db: parseDb(db) }
}

function parseLogin(login: string | undefined): Login {
  if (login === undefined || login === '') return {}
  const colon = login.indexOf(':')
  if (colon === -1) fail('before the @ stands user:password, or :password alone')
  const username = decode(login.slice(0, colon))
  const password = new Secret(decode(login.slice(colon + 1)))
  return username === '' ? { password } : { username, password }
}

function parseSentinelLogin(options: URLSearchParams, kind: string): boolean {
  const wanted = options.get('sentinel_login')
  options.delete('sentinel_login')
  if (options.size > 0) fail('the only known option is sentinel_login=same')
  if (wanted !== null && (kind !== 'sentinel' || wanted !== 'same'))
    fail('sentinel_login=same is for redis+sentinel:// only')
  return wanted === 'same'
}

function parseHosts(hosts: string, defaultPort: number): RedisAddress[] {
  return hosts.split(',').map((host, index) => {
    const match = /^(\[[\da-fA-F:.]+\]|[^:[\]]+)(?::(\d+))?$/.exec(host)
    const port = match?.[2] === undefined ? defaultPort : Number(match[2])
    if (match?.[1] === undefined || port < 1 || port > 65_535)
      fail(`host ${index + 1} is not host or host:port`)
    return { host: match[1].replace(/^\[|\]$/g, ''), port }
  })
}

function parseDb(db: string | undefined): number {
  if (db === undefined) return 0
  if (!/^\d{1,5}$/.test(db)) fail('the database is a number')
  return Number(db)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return fail('a % in it is not followed by two hexadecimal digits')
  }
}

function fail(why: string): never {
  throw new TypeError(`the Redis URL is not usable: ${why}`)
}
