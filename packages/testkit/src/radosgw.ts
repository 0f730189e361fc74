import { execFile } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, withFreePort } from './ports.ts'
import { endingWithUs, onPath, type RunningProcess, startProcess, waitUntil } from './processes.ts'

/** Ceph's S3 gateway on a memory-only cluster of one monitor and one storage daemon, all on loopback. */
export interface Radosgw extends AsyncDisposable {
  readonly endpoint: string
  readonly pid: number
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  createBucket(name: string): Promise<void>
  /** Freezes the gateway: it keeps its sockets and answers nothing, like a store that hangs. */
  pause(): void
  resume(): void
  /** SIGKILL to the gateway: connections break at once. What was stored is there after `restart`. */
  kill(): Promise<void>
  /** Starts the gateway again on the same port; what runs is killed first. */
  restart(): Promise<void>
}

const BINARIES = ['monmaptool', 'ceph-mon', 'ceph-osd', 'ceph', 'radosgw', 'radosgw-admin'] as const
const REGION = 'us-east-1'
const run = promisify(execFile)

/** What is missing to start one; empty where `startRadosgw` can work. */
export function missingForRadosgw(): readonly string[] {
  return BINARIES.filter((name) => !onPath(name))
}

export function radosgwAvailable(): boolean {
  return missingForRadosgw().length === 0
}

export async function startRadosgw(): Promise<Radosgw> {
  return withFreePort(async (monPort) => startCluster(monPort, await freePort()), 2)
}

async function startCluster(monPort: number, gatewayPort: number): Promise<Radosgw> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-radosgw-'))
  const daemons = new Set<RunningProcess>()
  const dispose = async () => {
    // Nothing in memory is worth saving: a polite end would write all of it to disk first.
    await Promise.all([...daemons].map((daemon) => daemon.kill('SIGKILL')))
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  const start = (command: string, args: readonly string[]) => {
    const daemon = startProcess(...endingWithUs(command, ['-c', conf, '-f', ...args]), { cwd: folder })
    daemons.add(daemon)
    return daemon
  }
  const conf = join(folder, 'ceph.conf')
  const fsid = randomUUID()
  try {
    await writeFile(conf, configuration(folder, fsid, monPort))
    await Promise.all(['mon', 'osd', 'rgw'].map((name) => mkdir(join(folder, name))))
    const tool = (command: string, args: readonly string[]) =>
      run(command, ['-c', conf, ...args], { cwd: folder, timeout: 20_000 })

    await tool('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', `[v2:127.0.0.1:${monPort}]`, 'map'])
    await tool('ceph-mon', ['--mkfs', '-i', 'a', '--monmap', 'map', '--mon-data', 'mon'])
    start('ceph-mon', ['-i', 'a', '--mon-data', 'mon'])
    // The monitor knows a storage daemon by this uuid; one that made up its own stays down forever.
    await tool('ceph', ['--connect-timeout', '15', 'osd', 'new', fsid, '0'])
    await tool('ceph-osd', ['--mkfs', '-i', '0', '--osd-data', 'osd', '--osd-uuid', fsid])
    start('ceph-osd', ['-i', '0', '--osd-data', 'osd'])
    const frontend = `beast endpoint=127.0.0.1:${gatewayPort}`
    const endpoint = `http://127.0.0.1:${gatewayPort}`
    const startGateway = async () => {
      const args = ['-n', 'client.rgw', '--rgw-data', 'rgw', '--rgw-frontends', frontend]
      const started = start('radosgw', args)
      await waitUntil('radosgw answers', () => answers(endpoint, daemons), { deadlineMs: 25_000 })
      return started
    }
    let gateway = await startGateway()
    const accessKeyId = randomBytes(10).toString('hex').toUpperCase()
    const secretAccessKey = randomBytes(20).toString('hex')
    const user = ['--uid', 'test', '--display-name', 'test']
    const keys = ['--access-key', accessKeyId, '--secret-key', secretAccessKey]
    await tool('radosgw-admin', ['-n', 'client.rgw', 'user', 'create', ...user, ...keys])
    return {
      endpoint,
      get pid() {
        return gateway.pid
      },
      region: REGION,
      accessKeyId,
      secretAccessKey,
      async createBucket(name) {
        const signed = ['--aws-sigv4', `aws:amz:${REGION}:s3`, '--user', `${accessKeyId}:${secretAccessKey}`]
        const header = `x-amz-content-sha256: ${createHash('sha256').digest('hex')}`
        const put = ['--fail', '--silent', '--request', 'PUT', ...signed, '--header', header]
        await run('curl', [...put, `${endpoint}/${name}`], { timeout: 20_000 })
      },
      pause: () => gateway.child.kill('SIGSTOP'),
      resume: () => gateway.child.kill('SIGCONT'),
      kill: () => gateway.kill('SIGKILL'),
      async restart() {
        await gateway.kill('SIGKILL')
        daemons.delete(gateway)
        gateway = await startGateway()
      },
      [Symbol.asyncDispose]: dispose,
    }
  } catch (error) {
    const output = [...daemons].map((daemon) => daemon.output().slice(-2000)).join('\n')
    await dispose()
    throw new Error(`no radosgw: ${String(error)}\n${output}`, { cause: error })
  }
}

async function answers(endpoint: string, daemons: ReadonlySet<RunningProcess>): Promise<boolean> {
  const dead = [...daemons].find(({ child }) => child.exitCode !== null || child.signalCode !== null)
  if (dead !== undefined) throw new Error(`${dead.child.spawnargs.join(' ')} ended`)
  try {
    const answer = await fetch(endpoint, { signal: AbortSignal.timeout(2000) })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

/** One copy of everything, no authentication inside the cluster, and maps that change at once instead of every second. */
function configuration(folder: string, fsid: string, monPort: number): string {
  return `[global]
fsid = ${fsid}
mon host = v2:127.0.0.1:${monPort}
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind msgr1 = false
ms mon client mode = crc
ms mon service mode = crc
ms mon cluster mode = crc
ms client mode = crc
ms service mode = crc
ms cluster mode = crc
auth cluster required = none
auth service required = none
auth client required = none
paxos propose interval = 0.02
paxos min wait = 0.01
mon data avail crit = 0
mon data avail warn = 0
mon allow pool size one = true
osd objectstore = memstore
memstore device bytes = 4294967296
osd crush chooseleaf type = 0
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
rgw enable ops log = false
rgw enable usage log = false
rgw thread pool size = 32
run dir = ${folder}
admin socket =
crash dir = ${folder}
log file =
mon cluster log to file = false
`
}
