import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type RunningNginx, startNginx } from '@patchbay/testkit/nginx'
import { inTurns, type Rounds } from '../gateway/turns.ts'
import { startWorker, type Worker } from '../gateway/worker.ts'
import { cpuOf, cpuOfEnded } from '../cpu.ts'
import type { DownloadClient } from './download-client.ts'

const READERS = ['openssl', 'manager', 'curl'] as const
type ReaderName = (typeof READERS)[number]

export interface Download {
  readonly megabytesPerSecond: number
  /** CPU seconds of whoever reads. */
  readonly cpu: number
}
export type DownloadRounds = Rounds<ReaderName, Download>

export interface DownloadSizes {
  readonly megabytes: number
  readonly rounds: number
}

const run = promisify(execFile)
const MIB = 1024 ** 2
const CLIENT = new URL('./download-client.ts', import.meta.url)

interface Bench {
  readonly file: string
  readonly into: string
  readonly nginx: RunningNginx
  readonly client: Worker<DownloadClient>
  readonly size: number
  readonly sha256: string
  readonly folder: string
}

/** A file from a server on this machine to the disk, beside hashing the same file where it lies. */
export async function measureDownload({ megabytes, rounds }: DownloadSizes): Promise<DownloadRounds> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-download-'))
  try {
    const file = join(folder, 'archive.zip')
    await writeRandom(file, megabytes)
    await using nginx = await startNginx({
      config: ({ port }) =>
        `sendfile on; server { listen 127.0.0.1:${port}; access_log off; root ${folder}; }`,
    })
    using client = startWorker<DownloadClient>(CLIENT)
    const bench = { file, into: join(folder, 'downloaded.zip'), nginx, client, folder, size: megabytes * MIB }
    // Once before: afterwards the file is in memory for everybody.
    const whole = { ...bench, sha256: await hash(file) }
    await measure(whole, 'manager')
    return await inTurns(READERS, rounds, (reader) => measure(whole, reader))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(bench: Bench, reader: ReaderName): Promise<Download> {
  const { client, size, into } = bench
  const readCpu = () => (reader === 'manager' ? cpuOf(client.pid) : cpuOfEnded(process.pid))
  const before = readCpu()
  const start = performance.now()
  await READ[reader](bench)
  const seconds = (performance.now() - start) / 1000
  const cpu = readCpu() - before
  if (reader !== 'openssl') {
    await requireWhole(into, size)
    await rm(into)
  }
  return { megabytesPerSecond: size / MIB / seconds, cpu }
}

const READ: Readonly<Record<ReaderName, (bench: Bench) => Promise<unknown>>> = {
  openssl: ({ file }) => hash(file),
  manager: ({ client, nginx, sha256, size, into, folder }) =>
    client.ask('download', {
      repositoryUrl: `${nginx.url}/repository.json`,
      archiveUrl: `${nginx.url}/archive.zip`,
      sha256,
      size,
      into,
      cacheFolder: join(folder, 'cache'),
    }),
  curl: ({ nginx, into }) =>
    run('curl', ['--silent', '--fail', '--output', into, `${nginx.url}/archive.zip`]),
}

async function hash(file: string): Promise<string> {
  const { stdout } = await run('openssl', ['dgst', '-sha256', '-r', file])
  return stdout.slice(0, 64)
}

export async function requireWhole(file: string, size: number): Promise<void> {
  const written = await stat(file).then(
    (found) => found.size,
    () => 0,
  )
  if (written !== size) throw new Error(`${written} bytes are on disk, ${size} were sent`)
}

async function writeRandom(path: string, megabytes: number): Promise<void> {
  await using file = await open(path, 'wx')
  const piece = randomBytes(MIB)
  for (let index = 0; index < megabytes; index += 1) {
    piece.writeUInt32LE(index)
    await file.write(piece)
  }
}
