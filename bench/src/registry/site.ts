import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { freePort } from '@patchbay/testkit/ports'
import { startProcess } from '@patchbay/testkit/processes'
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
  readonly objectsFolder: string
  /** Up to where the list of all packages is built. */
  readonly feedMaxMb: number
  readonly trust?: { readonly folder: string; readonly onlineKeyFile: string } | undefined
}

/** Connections that the server and the bare loop have each. */
export const CONNECTIONS = 16
const CLI = fileURLToPath(new URL('../../../apps/cli/src/main.ts', import.meta.url))

export async function startSite({ databaseUrl, objectsFolder, feedMaxMb, trust }: SiteStart): Promise<Site> {
  const { PATH = '' } = process.env
  const port = await freePort()
  const temporary = await mkdtemp(join(tmpdir(), 'patchbay-site-'))
  const running = startProcess(process.execPath, [...process.execArgv, CLI, 'server'], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH,
      TMPDIR: temporary,
      PATCHBAY_PORT: `${port}`,
      DATABASE_URL: databaseUrl,
      PATCHBAY_DATABASE_POOL_SIZE: `${CONNECTIONS}`,
      PATCHBAY_OBJECTS_URL: pathToFileURL(objectsFolder).href,
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
