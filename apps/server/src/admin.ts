import { resolve } from 'node:path'
import { Problem } from '@patchbay/contracts/core'
import {
  createInvitation,
  endAllAccess,
  hasAdministrator,
  type IdentityTables,
  noteOperatorAction,
  setDisabled,
} from '@patchbay/identity'
import { systemClock } from '@patchbay/kernel/clock'
import { addressesOf } from '@patchbay/kernel/http'
import { readConfigOrExit, type Surroundings } from '@patchbay/kernel/lifecycle'
import { createDatabase, type Db } from '@patchbay/kernel/postgres'
import { endInvitationsOf, type PanelsTables } from '@patchbay/panels'
import {
  type Publisher,
  quarantineOwner,
  quarantinePackage,
  type RegistryTables,
  releasePackage,
} from '@patchbay/registry'
import { type BackupPlace, BackupRefused, makeBackup, restoreBackup } from './backup.ts'
import { type ServerConfig, serverConfig } from './config.ts'
import { FILES, LIBRARIES, openObjects, RECORDINGS } from './server.ts'

type AdminTables = IdentityTables & RegistryTables & PanelsTables

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

export interface SwitchOptions {
  readonly isDisabled: boolean
  /** Why, for the audit log. */
  readonly reason: string
  /** Quarantines the packages of the account for this reason. */
  readonly quarantineReason?: string
}

export async function switchAccount(
  surroundings: Surroundings,
  handle: string,
  { isDisabled, reason, quarantineReason }: SwitchOptions,
): Promise<void> {
  await withIdentity(surroundings, async (db) => {
    const person = await setDisabled({ db, clock: systemClock }, handle, isDisabled)
    if (isDisabled) await endInvitationsOf(db, person.handle)
    await note(db, isDisabled ? 'disable' : 'enable', person.handle, reason)
    const state = isDisabled ? 'disabled; its sessions and API keys have ended' : 'enabled'
    surroundings.print(`The account ${person.handle} is ${state}.`)
    if (quarantineReason === undefined) return
    const count = await quarantineOwner(db, OPERATOR, person.handle, quarantineReason, systemClock.now())
    surroundings.print(`Quarantined packages of ${person.handle}: ${count}.`)
  })
}

/** Whoever has the database: the audit log names them so, and nobody can have this handle. */
export const OPERATOR: Publisher = {
  personId: '00000000-0000-0000-0000-000000000000',
  handle: 'operator',
  credential: { kind: 'command_line', id: '' },
}

/** `undefined` releases it. */
export async function switchQuarantine(
  surroundings: Surroundings,
  identifier: string,
  reason: string | undefined,
): Promise<void> {
  await withIdentity(surroundings, async (db) => {
    const now = systemClock.now()
    if (reason === undefined) {
      const released = await releasePackage(db, OPERATOR, identifier, now)
      const state = released === undefined ? 'is not quarantined' : 'is released from quarantine'
      surroundings.print(`${identifier} ${state}.`)
      return
    }
    await quarantinePackage(db, OPERATOR, identifier, reason, now)
    surroundings.print(
      `${identifier} is quarantined: within 5 seconds it is in no feed and no search, and cannot be downloaded.`,
    )
  })
}

/** After what was done, which has its own transaction. */
async function note(db: Db<IdentityTables>, action: string, target: string, reason: string): Promise<void> {
  await noteOperatorAction(db, { at: systemClock.now(), action, target, reason })
}

export async function endAccess(surroundings: Surroundings, handle: string, reason: string): Promise<void> {
  await withIdentity(surroundings, async (db) => {
    await endAllAccess({ db }, handle)
    await endInvitationsOf(db, handle)
    await note(db, 'end-access', handle, reason)
    surroundings.print(`All sessions, API keys and invitations of ${handle} have ended.`)
  })
}

/** All that an installation has to keep, into a folder of its own. Servers may go on meanwhile. */
export async function backUp(surroundings: Surroundings, folder: string): Promise<void> {
  await withInstallation(surroundings, folder, async (place) => {
    await makeBackup(place, systemClock.now())
    surroundings.print(
      `The backup is in ${place.folder}. It holds all that people have stored: keep it as safe as the database.`,
    )
  })
}

/** Into an empty database and an object store of its own. No server may run meanwhile. */
export async function restore(surroundings: Surroundings, folder: string): Promise<void> {
  await withInstallation(surroundings, folder, async (place) => {
    await restoreBackup(place)
    surroundings.print('Everything is restored. Start the server.')
  })
}

async function withInstallation(
  surroundings: Surroundings,
  folder: string,
  work: (place: BackupPlace) => Promise<void>,
): Promise<void> {
  const config = readConfigOrExit(serverConfig, surroundings)
  if (config === undefined) return
  const { databaseUrl, trustFolder, trustOnlineKeyFile } = config
  const objects = await openObjects(config)
  const files = await openObjects(config, FILES)
  const recordings = await openObjects(config, RECORDINGS)
  const libraries = await openObjects(config, LIBRARIES)
  try {
    await work({
      databaseUrl,
      objects,
      files,
      recordings,
      libraries,
      folder: resolve(folder),
      print: surroundings.print,
      signing:
        trustFolder === undefined || trustOnlineKeyFile === undefined
          ? undefined
          : { folder: trustFolder, onlineKeyFile: trustOnlineKeyFile },
    })
  } catch (error) {
    const { text, exitCode } = explain(error)
    surroundings.printError(text)
    await objects.close()
    await files.close()
    await recordings.close()
    await libraries.close()
    surroundings.host.exit(exitCode)
  } finally {
    await objects.close()
    await files.close()
    await recordings.close()
    await libraries.close()
  }
}

/** Migrates nothing: a command must not change the tables under servers of another version. */
async function withIdentity(
  surroundings: Surroundings,
  work: (db: Db<AdminTables>, config: ServerConfig) => Promise<void>,
): Promise<void> {
  const config = readConfigOrExit(serverConfig, surroundings)
  if (config === undefined) return
  await using database = createDatabase<AdminTables>({
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

export function explain(error: unknown): { readonly text: string; readonly exitCode: number } {
  const isProblem = error instanceof Problem
  if (isProblem && error.code === 'database_unavailable')
    return {
      text: 'The database that DATABASE_URL names cannot be reached. Check that it runs and that the address is right.',
      exitCode: EXIT_UNAVAILABLE,
    }
  if (error instanceof BackupRefused) return { text: error.message, exitCode: 1 }
  if (isProblem && error.code === 'objects_unavailable')
    return {
      text: 'The object store that PATCHBAY_OBJECTS_URL names cannot be used. Run "patchbay doctor".',
      exitCode: EXIT_UNAVAILABLE,
    }
  if (isProblem && error.code === 'package_not_found')
    return { text: 'There is no package with this identifier.', exitCode: 1 }
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
