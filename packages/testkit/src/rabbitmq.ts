import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, withFreePort } from './ports.ts'
import { endingWithUs, type RunningProcess, startProcess, waitUntil } from './processes.ts'

/** Needs RabbitMQ with its plugins for MQTT, as Debian's rabbitmq-server has them, and ca-certificates. */
export interface RunningRabbitmq extends AsyncDisposable {
  readonly url: string
  readonly managementUrl: string
  readonly username: string
  readonly password: string
  readonly port: number
  /** SIGKILL: connections break at once. What is durable is there after `restart`. */
  kill(): Promise<void>
  /** SIGSTOP: connections stay open and nobody answers. */
  pause(): void
  resume(): void
  /** Starts it again on the same ports. */
  restart(): Promise<void>
  /** Everything that it has logged. */
  output(): string
}

export interface RabbitmqOptions {
  /** Its configuration, with `<PASSWORD>` and the ports of 1883 and 15672 still to be replaced. */
  readonly configuration: string
  readonly plugins: string
  /** A policy for its queues, as its management takes it. */
  readonly queuesPolicy: string
}

const SERVER = '/usr/lib/rabbitmq/bin/rabbitmq-server'
/** A program that starts version 4, where somebody has one: Debian 12 has version 3. */
const NEWER = process.env['PATCHBAY_RABBITMQ_4']
/** About ten seconds on two quiet cores. */
const START_MS = 90_000

/** One node with an epmd, a home, a cookie and ports of its own: what else runs on the machine does not see it. */
export function startRabbitmq(options: RabbitmqOptions): Promise<RunningRabbitmq> {
  return withFreePort((port) => startNode(port, options), 2)
}

async function startNode(
  port: number,
  { configuration, plugins, queuesPolicy }: RabbitmqOptions,
): Promise<RunningRabbitmq> {
  await using starting = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-rabbitmq-'))
  starting.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const [managementPort, epmdPort, distributionPort] = [await freePort(), await freePort(), await freePort()]
  const password = randomBytes(12).toString('hex')
  const files = {
    'rabbitmq.conf': configuration
      .replaceAll('<PASSWORD>', password)
      .replace(/^(mqtt\.listeners\.tcp\.default = )1883$/m, `$1127.0.0.1:${port}`)
      .replace(/^(management\.tcp\.port = )15672$/m, `$1${managementPort}`),
    enabled_plugins: plugins,
    // Otherwise that of the machine would be read.
    'rabbitmq-env.conf': '',
    'advanced.config': '[].\n',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  // Erlang would start one by itself that outlives everybody.
  const epmd = startProcess(...endingWithUs('epmd', ['-port', `${epmdPort}`, '-address', '127.0.0.1']))
  starting.defer(() => epmd.kill('SIGKILL'))
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    LANG: 'C.UTF-8',
    ERL_EPMD_PORT: `${epmdPort}`,
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: `patchbay${port}@localhost`,
    RABBITMQ_DIST_PORT: `${distributionPort}`,
    RABBITMQ_CONF_ENV_FILE: join(folder, 'rabbitmq-env.conf'),
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(folder, 'advanced.config'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
    RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_LOGS: '-',
    RABBITMQ_GENERATED_CONFIG_DIR: join(folder, 'schema'),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+sbwt none +sbwtdcpu none +sbwtdio none +S 2:2',
    // The shell becomes Erlang, so that the process id is the broker's.
    RUNNING_UNDER_SYSTEMD: 'true',
  }
  const url = `http://127.0.0.1:${managementPort}/api`
  const credentials = Buffer.from(`patchbay:${password}`).toString('base64')
  const ask = (path: string, init: { method?: string; body?: string } = {}) =>
    fetch(`${url}${path}`, {
      ...init,
      headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(10_000),
    })
  const start = async (): Promise<RunningProcess> => {
    const started = startProcess(...endingWithUs(NEWER ?? SERVER, []), { env, cwd: folder })
    const answers = async () => {
      if (started.child.exitCode !== null || started.child.signalCode !== null)
        throw new Error(started.output())
      // The last to start: whoever reaches the management reaches MQTT.
      const answer = await ask('/health/checks/port-listener/' + port).catch(() => undefined)
      return answer?.ok === true
    }
    try {
      await waitUntil('RabbitMQ answers', answers, { deadlineMs: START_MS, intervalMs: 100 })
      const answer = await ask('/policies/%2F/queues', { method: 'PUT', body: queuesPolicy })
      if (!answer.ok) throw new Error(`the policy was refused: ${answer.status} ${await answer.text()}`)
      return started
    } catch (error) {
      await started.kill('SIGKILL')
      throw new Error(`RabbitMQ did not start: ${started.output()}`, { cause: error })
    }
  }
  let running = await start()
  starting.defer(() => running.kill('SIGKILL'))
  const cleanup = starting.move()
  return {
    url: `mqtt://127.0.0.1:${port}`,
    managementUrl: `http://127.0.0.1:${managementPort}`,
    username: 'patchbay',
    password,
    port,
    kill: () => running.kill('SIGKILL'),
    pause: () => void running.child.kill('SIGSTOP'),
    resume: () => void running.child.kill('SIGCONT'),
    async restart() {
      await running.kill('SIGKILL')
      running = await start()
    },
    output: () => running.output(),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

/** The configuration as it is shipped, asking these nodes. */
export async function shippedRabbitmq(nodes: string, secret: string): Promise<RabbitmqOptions> {
  const folder = new URL('../../../deploy/rabbitmq/', import.meta.url)
  const read = (name: string) => readFile(new URL(name, folder), 'utf8')
  const files = ['rabbitmq.conf', NEWER === undefined ? 'version-3.conf' : 'version-4.conf']
  const configuration = (await Promise.all(files.map(read)))
    .join('\n')
    .replaceAll('<NODES>', nodes)
    .replaceAll('<SECRET>', secret)
  return {
    configuration,
    plugins: await read('enabled_plugins'),
    queuesPolicy: await read('queues-policy.json'),
  }
}
