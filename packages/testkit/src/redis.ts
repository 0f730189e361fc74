import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, withFreePort } from './ports.ts'
import { type RunningProcess, startProcess, waitUntil } from './processes.ts'

/** Needs `redis-server` 7 on the PATH (Debian: redis-server). Nothing is kept on disk between restarts. */
export interface RunningRedis extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** One inline command, answered as text. Errors are thrown. */
  ask(command: string): Promise<string>
  /** SIGKILL: connections break at once, the data is gone. */
  kill(): Promise<void>
  /** SIGSTOP: connections stay open and nobody answers. */
  pause(): void
  resume(): void
  /** Starts an empty server on the same port. */
  restart(): Promise<void>
}

export interface RedisOptions {
  /** More arguments for the server, such as `--requirepass`. */
  readonly args?: readonly string[]
}

export function startRedis({ args = [] }: RedisOptions = {}): Promise<RunningRedis> {
  return withFreePort((port) => startServer(port, () => [...NO_PERSISTENCE, ...args]))
}

const NO_PERSISTENCE = ['--save', '', '--appendonly', 'no']

export interface RunningRedisCluster extends AsyncDisposable {
  /** `redis+cluster://…` with every master. */
  readonly url: string
  readonly masters: readonly RunningRedis[]
  /** Waits until every master sees the whole cluster in order. */
  settled(): Promise<void>
}

const SLOTS = 16_384

/** Three masters without replicas that hold all slots. */
export async function startRedisCluster(): Promise<RunningRedisCluster> {
  await using starting = new AsyncDisposableStack()
  const nodes: { readonly redis: RunningRedis; readonly busPort: number }[] = []
  for (let index = 0; index < 3; index += 1) {
    // Each attempt draws the bus port anew as well: either of the two may have been lost to another test.
    let busPort = 0
    const redis = await withFreePort(async (port) => {
      busPort = await freePort()
      return startServer(port, () => clusterArguments(busPort))
    })
    starting.use(redis)
    nodes.push({ redis, busPort })
  }
  const masters = nodes.map(({ redis }) => redis)
  for (const [index, { redis }] of nodes.entries()) {
    const from = Math.ceil((SLOTS / nodes.length) * index)
    const to = Math.ceil((SLOTS / nodes.length) * (index + 1)) - 1
    await redis.ask(`CLUSTER SET-CONFIG-EPOCH ${index + 1}`)
    await redis.ask(`CLUSTER ADDSLOTSRANGE ${from} ${to}`)
  }
  // Only now: a node that has met another one takes no configuration epoch anymore.
  for (const { redis } of nodes) {
    for (const other of nodes) await redis.ask(`CLUSTER MEET 127.0.0.1 ${other.redis.port} ${other.busPort}`)
  }
  const settled = () =>
    waitUntil(
      'the Redis cluster is whole',
      async () => {
        const views = await Promise.all(masters.map((master) => master.ask('CLUSTER INFO').catch(() => '')))
        return views.every(
          (view) =>
            /cluster_state:ok/.test(view) &&
            /cluster_slots_ok:16384/.test(view) &&
            /cluster_known_nodes:3/.test(view),
        )
      },
      { deadlineMs: 20_000 },
    )
  await settled()
  const running = starting.move()
  return {
    url: `redis+cluster://${masters.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    masters,
    settled,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function clusterArguments(busPort: number): string[] {
  const addresses = ['--cluster-port', `${busPort}`, '--cluster-announce-ip', '127.0.0.1']
  return [...NO_PERSISTENCE, ...addresses, '--cluster-enabled', 'yes', '--cluster-node-timeout', '2000']
}

export interface RunningRedisSentinel extends AsyncDisposable {
  /** `redis+sentinel://…/<master name>` */
  readonly url: string
  readonly master: RunningRedis
  readonly replica: RunningRedis
  /** Kills the master and waits until the replica was promoted. */
  failOver(): Promise<void>
}

const MASTER_NAME = 'patchbay'

/** One master, one replica, one sentinel that decides alone. */
export async function startRedisSentinel(): Promise<RunningRedisSentinel> {
  await using starting = new AsyncDisposableStack()
  const args = ['--repl-diskless-sync-delay', '0', '--repl-ping-replica-period', '1']
  const master = starting.use(await startRedis({ args }))
  const replica = starting.use(
    await startRedis({ args: [...args, '--replicaof', `127.0.0.1 ${master.port}`] }),
  )
  await waitUntil('the replica is in step', async () =>
    /state=online/.test(await master.ask('INFO replication')),
  )
  const sentinel = starting.use(await startSentinel(master.port))
  await waitUntil('the sentinel knows the replica', async () =>
    (await sentinel.ask(`SENTINEL replicas ${MASTER_NAME}`)).includes(`${replica.port}`),
  )
  const running = starting.move()
  return {
    url: `redis+sentinel://127.0.0.1:${sentinel.port}/${MASTER_NAME}`,
    master,
    replica,
    async failOver() {
      await master.kill()
      await waitUntil(
        'the replica was promoted',
        // The sentinel cuts every client of a server whose role it changes, this one too.
        async () => /role:master/.test(await replica.ask('INFO replication').catch(() => '')),
        { deadlineMs: 20_000 },
      )
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function startSentinel(masterPort: number): Promise<RunningRedis> {
  return withFreePort((port) =>
    startServer(port, async (directory) => {
      const config = join(directory, 'sentinel.conf')
      const lines = [
        `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${masterPort} 1`,
        `sentinel down-after-milliseconds ${MASTER_NAME} 500`,
        `sentinel failover-timeout ${MASTER_NAME} 3000`,
      ]
      await writeFile(config, `${lines.join('\n')}\n`)
      return [config, '--sentinel']
    }),
  )
}

async function startServer(
  port: number,
  prepare: (directory: string) => Promise<string[]> | string[],
): Promise<RunningRedis> {
  await using starting = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'patchbay-redis-'))
  starting.defer(() => rm(directory, { recursive: true, force: true }))
  const args = [...(await prepare(directory)), '--port', `${port}`, '--bind', '127.0.0.1', '--dir', directory]
  const start = async (): Promise<RunningProcess> => {
    const started = startProcess('redis-server', args)
    try {
      await waitUntil('redis-server answers', () => answersAs(started, port), { intervalMs: 20 })
      return started
    } catch (error) {
      await started.kill('SIGKILL')
      throw new Error(`redis-server did not start: ${started.output()}`, { cause: error })
    }
  }
  let running = await start()
  starting.defer(() => running.kill('SIGKILL'))
  const cleanup = starting.move()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    ask: (command) => ask(port, command),
    kill: () => running.kill('SIGKILL'),
    pause: () => void running.child.kill('SIGSTOP'),
    resume: () => void running.child.kill('SIGCONT'),
    async restart() {
      await running.kill('SIGKILL')
      running = await start()
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

/** Compares the process id: another server may have won the race for the port and answer in our place. */
async function answersAs(started: RunningProcess, port: number): Promise<boolean> {
  const { pid, child } = started
  if (child.exitCode !== null || child.signalCode !== null || pid === -1) throw new Error(started.output())
  const info = await ask(port, 'INFO server').catch(String)
  // A server with a password answers NOAUTH, which is an answer too.
  return info.includes(`process_id:${pid}\r`) || info.includes('NOAUTH')
}

const END = 'end-of-answer'

/** Inline commands need no client library; the echo of a second command marks where the first answer ends. */
function ask(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port })
    let answer = ''
    socket.setEncoding('utf8')
    socket.setTimeout(2_000, () => socket.destroy(new Error(`no answer to ${command}`)))
    socket.on('connect', () => socket.write(`${command}\r\nPING ${END}\r\n`))
    socket.on('data', (chunk: string) => {
      answer += chunk
      if (/^-[^\r]*\r\n/.test(answer)) socket.destroy(new Error(answer.slice(1, answer.indexOf('\r'))))
      else if (answer.endsWith(`${END}\r\n`)) socket.destroy()
    })
    socket.on('error', reject)
    socket.on('close', () => {
      if (answer.endsWith(`${END}\r\n`)) resolve(answer.slice(0, answer.lastIndexOf(`$${END.length}`)))
      else reject(new Error(`the connection ended before the answer to ${command}`))
    })
  })
}
