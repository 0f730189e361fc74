import { type ExecFileOptions, execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, escapeIdentifier } from 'pg'
import { forgetAtExit, removeAtExit } from './leftovers.ts'
import { withFreePort } from './ports.ts'
import { findPostgresBinaries, unprivilegedAccount } from './postgres-binaries.ts'
import { isRunning, killFamily, pauseFamily, resumeFamily } from './postgres-family.ts'
import { type RunningProcess, startProcess, waitUntil } from './processes.ts'

export { type ClonedDatabase, type CloneOptions, cloneDatabase } from './postgres-clone.ts'

export type PostgresSettings = Readonly<Record<string, string | number>>
/** `smart` waits for clients to leave, `fast` sends them away, `immediate` skips the orderly shutdown. */
export type StopMode = 'smart' | 'fast' | 'immediate'

export interface Postgres extends AsyncDisposable {
  readonly port: number
  /** The postmaster's process; another one after `restart`. */
  pid(): number
  url(database?: string): string
  /** Answers the new database's url. */
  createDatabase(name: string, options?: { readonly template?: string }): Promise<string>
  /** What a crash looks like: postmaster and backends are gone at once, and nothing is said to the clients. */
  kill(): Promise<void>
  stop(mode?: StopMode): Promise<void>
  /** What a frozen machine looks like: connections stay open and nothing answers. */
  pause(): void
  resume(): void
  /** Starts again on the same port and data, stopping first where it still runs. */
  restart(): Promise<void>
  /** What the server logged last. */
  output(): string
}

const run = promisify(execFile)
const START_DEADLINE_MS = 30_000
const STOP_SIGNALS = { smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' } as const

/**
 * A cluster in a temporary folder need not outlive the machine's power. Commits stay synchronous: what a killed
 * server acknowledged must be there after its restart, and without fsync that costs next to nothing.
 */
const FAST: PostgresSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_connections: 200,
  shared_buffers: '64MB',
  jit: 'off',
  timezone: 'UTC',
}

/** A real cluster of our own in a temporary folder, reachable on 127.0.0.1 alone. */
export async function startPostgres({
  settings = {},
}: {
  readonly settings?: PostgresSettings
} = {}): Promise<Postgres> {
  const binaries = findPostgresBinaries()
  const account = unprivilegedAccount()
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-postgres-'))
  const attempts: RunningProcess[] = []
  try {
    if (account !== undefined) await chown(folder, account.uid, account.gid)
    const data = join(folder, 'data')
    await initialize(join(binaries, 'initdb'), data, { cwd: folder, ...account })

    const launch = async (port: number) => {
      const effective = {
        ...FAST,
        ...settings,
        port,
        listen_addresses: '127.0.0.1',
        unix_socket_directories: folder,
      }
      const flags = Object.entries(effective).flatMap(([name, value]) => ['-c', `${name}=${value}`])
      const server = startProcess(join(binaries, 'postgres'), ['-D', data, ...flags], {
        cwd: folder,
        ...account,
      })
      attempts.push(server)
      await waitUntilReady(server, urlOf(port), data)
      return { port, server }
    }
    const first = await withFreePort(launch)
    return controls(folder, first, launch)
  } catch (error) {
    await Promise.all(attempts.map((server) => server.kill('SIGQUIT')))
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

interface Launched {
  readonly port: number
  readonly server: RunningProcess
}

function controls(folder: string, first: Launched, launch: (port: number) => Promise<Launched>): Postgres {
  let { server } = first
  const { port } = first
  const pid = () => server.pid
  const isUp = () => server.child.exitCode === null && server.child.signalCode === null
  const remove = () => {
    if (isUp()) killFamily(pid())
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  removeAtExit(remove)

  const resume = () => {
    if (isUp()) resumeFamily(pid())
  }
  const stop = async (mode: StopMode = 'fast') => {
    resume()
    await server.kill(STOP_SIGNALS[mode])
  }
  return {
    port,
    pid,
    url: (database) => urlOf(port, database),
    output: () => server.output(),
    async createDatabase(name, { template } = {}) {
      await withClient(urlOf(port), async (client) => {
        const from = template === undefined ? '' : ` template ${escapeIdentifier(template)}`
        await client.query(`create database ${escapeIdentifier(name)}${from}`)
      })
      return urlOf(port, name)
    },
    async kill() {
      const family = isUp() ? killFamily(pid()) : []
      await server.kill('SIGKILL')
      await waitUntil('every process of the killed cluster is gone', () => !family.some(isRunning))
    },
    stop,
    pause() {
      if (isUp()) pauseFamily(pid())
    },
    resume,
    async restart() {
      if (isUp()) await stop()
      ;({ server } = await launch(port))
    },
    async [Symbol.asyncDispose]() {
      await stop('immediate')
      forgetAtExit(remove)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function initialize(initdb: string, data: string, options: ExecFileOptions) {
  const locale = process.platform === 'linux' ? 'C.UTF-8' : 'C'
  const flags = ['--username=postgres', '--auth=trust', '--no-sync', '--no-instructions', '--encoding=UTF8']
  await run(initdb, ['-D', data, ...flags, `--locale=${locale}`], { ...options, timeout: START_DEADLINE_MS })
  await writeFile(join(data, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n')
}

/** Asks for the data folder: on a port that was lost to another cluster, that one would answer. */
async function waitUntilReady(server: RunningProcess, url: string, data: string): Promise<void> {
  let ended = false
  server.child.once('exit', () => {
    ended = true
  })
  const answers = async () => {
    if (ended) throw new Error(`postgres ended at once:\n${server.output()}`)
    return withClient(url, readDataFolder).then(
      (folder) => folder === data,
      () => false,
    )
  }
  await waitUntil('postgres answers', answers, { deadlineMs: START_DEADLINE_MS, intervalMs: 20 })
}

async function readDataFolder(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ folder: string }>(
    `select current_setting('data_directory') as folder`,
  )
  return rows[0]?.folder
}

async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

function urlOf(port: number, database = 'postgres'): string {
  return `postgres://postgres@127.0.0.1:${port}/${encodeURIComponent(database)}`
}
