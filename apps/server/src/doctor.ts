import { access, constants, mkdir, statfs } from 'node:fs/promises'
import { hasAdministrator, type IdentityTables } from '@patchbay/identity'
import { createRedisBus } from '@patchbay/kernel/bus'
import { systemClock } from '@patchbay/kernel/clock'
import { ConfigError, readConfig } from '@patchbay/kernel/config'
import { addressesOf } from '@patchbay/kernel/http'
import type { CheckResult, InstallationCheck, Surroundings } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { createDatabase, inspectDatabase, MigrationError } from '@patchbay/kernel/postgres'
import { readTrustExpiry } from '@patchbay/registry'
import { type ServerConfig, serverConfig } from './config.ts'
import { serverMigrations } from './prepare-database.ts'
import { spoolFolderOf } from './registry-config.ts'
import { openObjects } from './server.ts'

const OLDEST_POSTGRES = 150_000
/** PostgreSQL keeps some for whoever administers it. */
const KEPT_CONNECTIONS = 10
const MOST_SKEW_MS = 2_000
const MIB = 1_048_576
const DAY_MS = 86_400_000
/** As `repo trust show` warns: time enough to bring those together who have the offline keys. */
const SIGNATURES_WARN_DAYS = 30
const PATIENCE_MS = 5_000

/** What `patchbay doctor` looks at where the server's environment is: its configuration and all that it is to reach. */
export function serverChecks({ environment, alsoKnown, runId }: Surroundings): InstallationCheck[] {
  let config: ServerConfig
  try {
    config = readConfig(serverConfig, environment, alsoKnown)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults.map(({ variable, wrong, meaning = 'Take it out of the environment.' }) =>
      known(variable, { state: 'fault', says: wrong, fix: meaning }),
    )
  }
  return [
    known('Configuration', { state: 'ok', says: 'every setting is sound' }),
    known('Public address', judgeAddress(config)),
    {
      name: 'PostgreSQL',
      look: () => lookAtDatabase(config),
      fix: 'Start PostgreSQL, and see that DATABASE_URL names it with a user that may connect.',
    },
    {
      name: 'Administrator',
      look: () => lookForAdministrator(config),
      fix: 'Start the server once: it makes the tables.',
    },
    {
      name: 'Redis',
      look: () => lookAtRedis(config, runId),
      fix: 'Start Redis 7 or Valkey 8, and see that REDIS_URL names it with its password.',
    },
    {
      name: 'Objects',
      look: () => lookAtObjects(config),
      fix: 'See that PATCHBAY_OBJECTS_URL names a folder that the server may write to, or a bucket and its keys.',
    },
    {
      name: 'Spool',
      look: () => lookAtSpool(config),
      fix: 'Name a folder that the server may write to: PATCHBAY_SPOOL_FOLDER.',
    },
    {
      name: 'Signatures',
      look: () => lookAtSignatures(config),
      fix: 'See that the server may read PATCHBAY_TRUST_FOLDER, with every N.root.json and N.targets.json, and PATCHBAY_TRUST_ONLINE_KEY_FILE.',
    },
    ...config.issuers.map(({ id, issuer }) => ({
      name: `Issuer ${id}`,
      look: () => lookAtIssuer(issuer),
      fix: 'See that the issuer in PATCHBAY_OIDC_ISSUERS is right, and that this machine may reach it.',
    })),
  ]
}

/** What needs no look. */
function known(name: string, result: CheckResult): InstallationCheck {
  return { name, look: async () => result, fix: '' }
}

function judgeAddress(config: ServerConfig): CheckResult {
  const { publicUrl } = addressesOf(config)
  const { protocol } = new URL(publicUrl)
  if (protocol === 'https:' && config.trustedProxies.length === 0)
    return {
      state: 'warning',
      says: `${publicUrl}, and no proxy is believed: all people look like one address`,
      fix: 'Set PATCHBAY_TRUSTED_PROXIES to the address of the proxy that ends TLS.',
    }
  return { state: 'ok', says: publicUrl }
}

async function lookAtDatabase(config: ServerConfig): Promise<CheckResult> {
  const looking = inspectDatabase(config.databaseUrl, await serverMigrations(), () => systemClock.now())
  const state = await looking.catch((error: unknown) => {
    if (error instanceof MigrationError) return error
    throw error
  })
  if (state instanceof MigrationError)
    return { state: 'fault', says: state.message, fix: 'Run the version that this database belongs to.' }
  const says = `PostgreSQL ${state.version.split(' ')[0]}`
  if (state.versionNumber < OLDEST_POSTGRES)
    return { state: 'fault', says, fix: 'Use PostgreSQL 15 or newer.' }
  if (Math.abs(state.aheadMs) > MOST_SKEW_MS)
    return {
      state: 'warning',
      says: `${says}, whose clock differs from this machine's by ${Math.round(Math.abs(state.aheadMs) / 1000)} s`,
      fix: 'Let both take their time from the network (NTP).',
    }
  if (config.databasePoolSize + KEPT_CONNECTIONS > state.maxConnections)
    return {
      state: 'warning',
      says: `${says} takes ${state.maxConnections} connections, and one node alone wants ${config.databasePoolSize}`,
      fix: 'Raise max_connections of PostgreSQL, or lower PATCHBAY_DATABASE_POOL_SIZE.',
    }
  if (state.pending.length > 0) {
    const contracts = state.pending.filter(({ kind }) => kind === 'contract').length
    return {
      state: 'warning',
      says: `${says}; ${state.pending.length} migrations are yet to be applied`,
      fix:
        contracts === 0
          ? 'Start the server: it applies them. Nodes of the version before go on working.'
          : `Start the server: it applies them. After ${contracts} of them the version before cannot be started again.`,
    }
  }
  if (state.newer.length > 0)
    return {
      state: 'ok',
      says: `${says}, all migrations applied, and ${state.newer.length} of a newer version`,
    }
  return { state: 'ok', says: `${says}, all migrations applied` }
}

async function lookForAdministrator({ databaseUrl }: ServerConfig): Promise<CheckResult> {
  await using database = createDatabase<IdentityTables>({
    url: databaseUrl,
    poolSize: 1,
    applicationName: 'patchbay doctor',
  })
  if (await hasAdministrator(database)) return { state: 'ok', says: 'there is one' }
  return {
    state: 'warning',
    says: 'there is none: nobody can manage accounts',
    fix: 'Run "patchbay admin link" and open what it prints.',
  }
}

async function lookAtRedis({ redisUrl }: ServerConfig, runId: string): Promise<CheckResult> {
  if (redisUrl === undefined) return { state: 'ok', says: 'not configured, which is right for a single node' }
  const bus = await createRedisBus({
    url: redisUrl,
    node: `doctor-${runId}`,
    clock: systemClock,
    log: createLog({ level: 'silent', process: 'doctor' }),
  })
  try {
    await bus.ping()
    return { state: 'ok', says: 'answers' }
  } finally {
    await bus.close()
  }
}

async function lookAtObjects(config: ServerConfig): Promise<CheckResult> {
  const objects = await openObjects(config)
  try {
    await objects.ping()
    return {
      state: 'ok',
      says: config.objectsUrl?.replace(/\?.*/, '') ?? 'in .patchbay/objects of the working folder',
    }
  } finally {
    await objects.close()
  }
}

async function lookAtSpool(config: ServerConfig): Promise<CheckResult> {
  const folder = spoolFolderOf(config)
  await mkdir(folder, { recursive: true })
  await access(folder, constants.W_OK)
  const { bavail, bsize } = await statfs(folder)
  const free = Math.floor((bavail * bsize) / MIB)
  const says = `${folder}, ${free} MiB free`
  if (free >= config.maxArchiveMb) return { state: 'ok', says }
  return {
    state: 'fault',
    says: `${says}, less than one archive may have (${config.maxArchiveMb} MiB)`,
    fix: 'Free some room, or put the spool elsewhere: PATCHBAY_SPOOL_FOLDER.',
  }
}

async function lookAtSignatures({
  trustFolder,
  trustOnlineKeyFile,
}: ServerConfig): Promise<CheckResult | undefined> {
  if (trustFolder === undefined || trustOnlineKeyFile === undefined) return undefined
  await access(trustOnlineKeyFile, constants.R_OK)
  const ends = await readTrustExpiry(trustFolder)
  const [first] = ends.toSorted((a, b) => a.expires.getTime() - b.expires.getTime())
  if (first === undefined) return undefined
  const days = Math.floor((first.expires.getTime() - systemClock.now().getTime()) / DAY_MS)
  const says = `${first.file} holds until ${first.expires.toISOString().slice(0, 10)}`
  if (days >= SIGNATURES_WARN_DAYS) return { state: 'ok', says: `${says}, ${days} days` }
  const fix =
    'Run "patchbay repo trust rotate" where the offline keys are, and put the new files into PATCHBAY_TRUST_FOLDER.'
  return days < 0
    ? { state: 'fault', says: `${first.file} has expired: clients refuse what is new`, fix }
    : { state: 'warning', says: `${says}, ${days} more days`, fix }
}

async function lookAtIssuer(issuer: string): Promise<CheckResult> {
  const answer = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(PATIENCE_MS),
    redirect: 'error',
  })
  if (!answer.ok) throw new Error(`${issuer} answers ${answer.status}`)
  const { issuer: named } = (await answer.json()) as { issuer?: unknown }
  if (named === issuer) return { state: 'ok', says: issuer }
  return {
    state: 'fault',
    says: `${issuer} calls itself ${String(named)}: tokens of it would be refused`,
    fix: 'Write the issuer in PATCHBAY_OIDC_ISSUERS exactly as it calls itself.',
  }
}
