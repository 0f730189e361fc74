import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startNginx } from '@patchbay/testkit/nginx'
import { cpuOf, cpuOfEnded, startWorker, temporaryFolder, withCpu } from '../processes.ts'
import { inTurns, type Rounds } from '../report.ts'
import type { DownloadClient } from './download-client.ts'

const READERS = ['openssl', 'manager', 'curl'] as const
export type ReaderName = (typeof READERS)[number]

export interface Download {
  readonly megabytesPerSecond: number
  /** CPU seconds of whoever reads. */
  readonly cpu: number
}

export interface DownloadSizes {
  readonly megabytes: number
  readonly rounds: number
}

const run = promisify(execFile)
const MIB = 1024 ** 2
const CLIENT = new URL('./download-client.ts', import.meta.url)

/** A file from a server on this machine to the disk, beside hashing the same file where it lies. */
export async function measureDownload({
  megabytes,
  rounds,
}: DownloadSizes): Promise<Rounds<ReaderName, Download>> {
  await using folder = await temporaryFolder()
  const [file, into, cacheFolder] = ['archive.zip', 'downloaded.zip', 'cache'].map((name) =>
    join(folder.path, name),
  ) as [string, string, string]
  await writeRandom(file, megabytes)
  await using nginx = await startNginx({
    config: ({ port }) =>
      `sendfile on; server { listen 127.0.0.1:${port}; access_log off; root ${folder.path}; }`,
  })
  using client = startWorker<DownloadClient>(CLIENT)
  const hash = async () => (await run('openssl', ['dgst', '-sha256', '-r', file])).stdout.slice(0, 64)
  // Once before: afterwards the file is in memory for everybody.
  const order = { site: nginx.url, sha256: await hash(), size: megabytes * MIB, into, cacheFolder }
  const readers: Readonly<Record<ReaderName, () => Promise<unknown>>> = {
    openssl: hash,
    manager: () => client.ask('download', order),
    curl: () => run('curl', ['--silent', '--fail', '--output', into, `${nginx.url}/archive.zip`]),
  }
  const measure = async (reader: ReaderName): Promise<Download> => {
    const start = performance.now()
    const meter = () => (reader === 'manager' ? cpuOf(client.pid) : cpuOfEnded(process.pid))
    const { result: seconds, cpu } = await withCpu({ meter }, async () => {
      await readers[reader]()
      return (performance.now() - start) / 1000
    })
    if (reader !== 'openssl') {
      await requireWhole(into, order.size)
      await rm(into)
    }
    return { megabytesPerSecond: megabytes / seconds, cpu: cpu.meter / 1e6 }
  }
  await measure('manager')
  return await inTurns(READERS, rounds, measure)
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
