import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@patchbay/testkit/ports'
import { startProcess } from '@patchbay/testkit/processes'
import type { Radosgw } from '@patchbay/testkit/radosgw'
import { listens } from '../gateway/side.ts'

/** The product as an operator starts it, with the caps out of the way that one address would run into. */
export interface Site extends AsyncDisposable {
  readonly port: number
  readonly pid: number
  /** The next one may start. */
  stop(): Promise<void>
}

export interface SiteStart {
  readonly databaseUrl: string
  /** Where archives are kept, as the server's environment says it. */
  readonly objects: Readonly<Record<string, string>>
  /** Up to where the list of all packages is built. */
  readonly feedMaxMb: number
  readonly trust?: { readonly folder: string; readonly onlineKeyFile: string } | undefined
}

/** Connections that the server and the bare loop have each. */
export const CONNECTIONS = 16
const BUCKET = 'archives'
const run = promisify(execFile)
const CLI = fileURLToPath(new URL('../../../apps/cli/src/main.ts', import.meta.url))

export function objectsInFolder(folder: string): SiteStart['objects'] {
  return { PATCHBAY_OBJECTS_URL: pathToFileURL(folder).href }
}

export function bucketUrl({ endpoint, region }: Radosgw): string {
  return `s3://${BUCKET}?${new URLSearchParams({ endpoint, region, path_style: 'true' }).toString()}`
}

/** In a bucket that is made for it. */
export async function objectsInS3(store: Radosgw): Promise<SiteStart['objects']> {
  const { endpoint, region, accessKeyId, secretAccessKey } = store
  const signed = ['--aws-sigv4', `aws:amz:${region}:s3`, '--user', `${accessKeyId}:${secretAccessKey}`]
  const nothing = createHash('sha256').digest('hex')
  await run('curl', [
    '--fail',
    '--silent',
    '--request',
    'PUT',
    ...signed,
    '--header',
    `x-amz-content-sha256: ${nothing}`,
    `${endpoint}/${BUCKET}`,
  ])
  return {
    PATCHBAY_OBJECTS_URL: bucketUrl(store),
    PATCHBAY_OBJECTS_ACCESS_KEY_ID: accessKeyId,
    PATCHBAY_OBJECTS_SECRET_ACCESS_KEY: secretAccessKey,
  }
}

export async function startSite({ databaseUrl, objects, feedMaxMb, trust }: SiteStart): Promise<Site> {
  const { PATH = '' } = process.env
  const port = await freePort()
  const temporary = await mkdtemp(join(tmpdir(), 'patchbay-site-'))
  const running = startProcess(process.execPath, [...process.execArgv, CLI, 'server'], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH,
      TMPDIR: temporary,
      PATCHBAY_PORT: `${port}`,
      PATCHBAY_PROXY_URL: 'off',
      DATABASE_URL: databaseUrl,
      PATCHBAY_DATABASE_POOL_SIZE: `${CONNECTIONS}`,
      ...objects,
      PATCHBAY_PUBLISHES_PER_MINUTE: '100000000',
      PATCHBAY_SEARCHES_PER_MINUTE: '100000000',
      PATCHBAY_FEED_MAX_MB: `${feedMaxMb}`,
      PATCHBAY_DRAIN_SECONDS: '3',
      PATCHBAY_LOG_LEVEL: 'warn',
      ...(trust === undefined
        ? {}
        : {
            PATCHBAY_TRUST_FOLDER: trust.folder,
            PATCHBAY_TRUST_ONLINE_KEY_FILE: trust.onlineKeyFile,
          }),
    },
  })
  try {
    await listens(running, port)
  } catch (error) {
    await running.kill('SIGKILL')
    throw error
  }
  const stop = async () => {
    await running.kill('SIGTERM')
    await rm(temporary, { recursive: true, force: true })
  }
  return { port, pid: running.pid, stop, [Symbol.asyncDispose]: stop }
}
