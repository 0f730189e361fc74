import { Problem } from '@patchbay/contracts'
import { createInvitation, hasAdministrator, type IdentityTables, setDisabled } from '@patchbay/identity'
import { systemClock } from '@patchbay/kernel/clock'
import { addressesOf } from '@patchbay/kernel/http'
import { readConfigOrExit, type Surroundings } from '@patchbay/kernel/lifecycle'
import { createDatabase, type Db } from '@patchbay/kernel/postgres'
import { type ServerConfig, serverConfig } from './config.ts'

const LINK_SECONDS = 60 * 60
/** As sysexits has it: what is needed cannot be reached. */
const EXIT_UNAVAILABLE = 69
/** What PostgreSQL calls a table that is not there. */
const UNDEFINED_TABLE = '42P01'

/** One link, for one person, who becomes an administrator. */
export async function printAdminLink(surroundings: Surroundings): Promise<void> {
  await withIdentity(surroundings, (db, config) => makeAdminLink(db, config, surroundings))
}

/** The same where nobody is an administrator yet, and nothing where somebody is. */
export async function printFirstAdminLink(surroundings: Surroundings): Promise<void> {
  await withIdentity(surroundings, async (db, config) => {
    if (!(await hasAdministrator({ db }))) await makeAdminLink(db, config, surroundings)
  })
}

async function makeAdminLink(
  db: Db<IdentityTables>,
  config: ServerConfig,
  { createSecret, print, printError }: Surroundings,
): Promise<void> {
  const { secret, expiresAt } = await createInvitation(
    { db, clock: systemClock, createSecret },
    { makesAdmin: true, createdBy: null, ttlSeconds: LINK_SECONDS },
  )
  const until = expiresAt.toISOString().slice(0, 16).replace('T', ' ')
  print(`${addressesOf(config).publicUrl}/welcome?invitation=${secret}`)
  printError(
    `Whoever opens this link makes an account as an administrator. It works once, until ${until} UTC.`,
  )
}

export async function switchAccount(
  surroundings: Surroundings,
  handle: string,
  isDisabled: boolean,
): Promise<void> {
  await withIdentity(surroundings, async (db) => {
    const person = await setDisabled({ db, clock: systemClock }, handle, isDisabled)
    const state = isDisabled ? 'disabled; all its sessions have ended' : 'enabled'
    surroundings.print(`The account ${person.handle} is ${state}.`)
  })
}

/** Migrates nothing: a command must not change the tables under servers of another version. */
async function withIdentity(
  surroundings: Surroundings,
  work: (db: Db<IdentityTables>, config: ServerConfig) => Promise<void>,
): Promise<void> {
  const config = readConfigOrExit(serverConfig, surroundings)
  if (config === undefined) return
  await using database = createDatabase<IdentityTables>({
    url: config.databaseUrl,
    poolSize: 1,
    applicationName: `admin-${surroundings.runId}`,
  })
  try {
    await work(database.db, config)
  } catch (error) {
    const { text, exitCode } = explain(error)
    surroundings.printError(text)
    await database.close()
    surroundings.host.exit(exitCode)
  }
}

function explain(error: unknown): { readonly text: string; readonly exitCode: number } {
  const isProblem = error instanceof Problem
  if (isProblem && error.code === 'database_unavailable')
    return {
      text: 'The database that DATABASE_URL names cannot be reached. Check that it runs and that the address is right.',
      exitCode: EXIT_UNAVAILABLE,
    }
  if (isProblem && error.code === 'not_found')
    return { text: 'There is no account with this handle.', exitCode: 1 }
  if (isProblem && error.code === 'last_admin')
    return {
      text: 'This is the only administrator. Make another one first: run "patchbay admin link".',
      exitCode: 1,
    }
  if (error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE)
    return {
      text: 'The database has no tables of this version yet. Start the server once: it makes them.',
      exitCode: EXIT_UNAVAILABLE,
    }
  return {
    text: `The database refused: ${error instanceof Error ? error.message : String(error)}`,
    exitCode: 1,
  }
}
