import { type BoardsTables, cancelJob, listOperatorJobs, queueAgain, readQueue } from '@patchbay/boards'
import { type ContentTables, listQuotas, setQuota, sumFiles } from '@patchbay/content'
import { countAllDevices, type DevicesTables, listAllDevices, sumRecordings } from '@patchbay/devices'
import {
  countAccounts,
  endApiKey,
  findAccounts,
  type IdentityTables,
  listApiKeys,
  listOperatorActions,
  noteOperatorAction,
} from '@patchbay/identity'
import { systemClock } from '@patchbay/kernel/clock'
import { ConfigError, readConfig } from '@patchbay/kernel/config'
import { EXIT_CONFIG, type Surroundings } from '@patchbay/kernel/lifecycle'
import { createDatabase, type Db, inTransaction } from '@patchbay/kernel/postgres'
import {
  countPackages,
  countPackagesOf,
  type RegistryTables,
  searchAudit,
  yankForOperator,
} from '@patchbay/registry'
import { explain, OPERATOR } from './admin.ts'
import { serverConfig } from './config.ts'

type OperatorTables = IdentityTables & RegistryTables & ContentTables & DevicesTables & BoardsTables
type OperatorDb = Db<OperatorTables>

export type Row = Readonly<Record<string, string | number | boolean | Date | null>>

export interface Question {
  /** What is looked for, or whose; empty for everything. */
  readonly text: string
  readonly limit: number
}

type Look = (db: OperatorDb, question: Question, now: Date) => Promise<readonly object[]>

export type LookName = 'status' | 'accounts' | 'keys' | 'usage' | 'jobs' | 'devices' | 'audit'

/** What an operator looks at. Each is one function of an area, or what several say side by side. */
const LOOKS: Readonly<Record<LookName, Look>> = {
  async status(db, _question, now) {
    const { people, disabled, organizations, sessions } = await countAccounts(db, now)
    const { packages, quarantined } = await countPackages(db)
    const { devices, online } = await countAllDevices(db)
    const { queued, running, oldestSeconds, workers } = await readQueue(db, now)
    const [files, recordings] = [sum(await sumFiles(db)), sum(await sumRecordings(db))]
    return Object.entries({
      people,
      'disabled accounts': disabled,
      organizations,
      sessions,
      packages,
      'quarantined packages': quarantined,
      devices,
      'devices online': online,
      'board jobs queued': queued,
      'board jobs running': running,
      'oldest queued job, seconds': Math.round(oldestSeconds),
      workers,
      'bytes of files': files,
      'bytes of recordings': recordings,
    }).map(([what, value]) => ({ what, value }))
  },
  accounts: (db, { text, limit }, now) => findAccounts(db, text, limit, now),
  keys: (db, { text, limit }) => listApiKeys(db, text, limit),
  async usage(db, { text, limit }) {
    const [files, quotas, recordings, packages] = [
      await sumFiles(db),
      await listQuotas(db),
      await sumRecordings(db),
      await countPackagesOf(db),
    ]
    return [...new Set([files, quotas, recordings, packages].flatMap((each) => [...each.keys()]))]
      .filter((owner) => owner.includes(text.toLowerCase()))
      .map((owner) => ({
        owner,
        fileBytes: files.get(owner) ?? 0,
        fileQuotaBytes: quotas.get(owner) ?? null,
        recordingBytes: recordings.get(owner) ?? 0,
        packages: packages.get(owner) ?? 0,
      }))
      .toSorted((a, b) => b.fileBytes + b.recordingBytes - a.fileBytes - a.recordingBytes)
      .slice(0, limit)
  },
  jobs: (db, { text, limit }) => listOperatorJobs(db, text, limit),
  devices: (db, { text, limit }) => listAllDevices(db, text, limit),
  async audit(db, { text, limit }) {
    const ours = (await listOperatorActions(db, text, limit)).map(({ at, action, target, reason }) => ({
      at,
      who: 'operator',
      action,
      target,
      detail: reason,
    }))
    const theirs = (await searchAudit(db, text, limit)).map(
      ({ at, actor, credential, action, identifier, version, detail }) => ({
        at,
        who: `${actor} (${credential})`,
        action,
        target: version === null ? identifier : `${identifier}@${version}`,
        detail,
      }),
    )
    return [...ours, ...theirs].toSorted((a, b) => b.at.getTime() - a.at.getTime()).slice(0, limit)
  },
}

export interface Order {
  readonly target: string
  /** What is set, for those that set something. */
  readonly value?: string
  readonly reason: string
}

interface Doing extends Order {
  readonly tx: OperatorDb
  readonly now: Date
}

interface Action {
  /** `false`: there is nothing of the kind. */
  readonly run: (doing: Doing) => Promise<boolean>
  readonly done: string
  readonly missing: string
}

const NO_VERSION = 'There is no such version. Name it as in "com.example.blinky@1.2.0".'

/** What an operator does, in the transaction that notes it with its reason. */
const ACTIONS = {
  'retry-job': {
    run: ({ tx, target, now }) => queueAgain(tx, target, now),
    done: 'The job is queued again.',
    missing: 'There is no job with this id that has failed or was refused.',
  },
  'cancel-job': {
    run: ({ tx, target, reason, now }) => cancelJob(tx, target, reason, now),
    done: 'The job has ended. A worker that has it stops within seconds.',
    missing: 'There is no job with this id that waits or runs.',
  },
  'end-key': {
    run: ({ tx, target }) => endApiKey(tx, target),
    done: 'The API key has ended, at once.',
    missing: 'There is no API key with this id.',
  },
  'yank-version': {
    run: ({ tx, target, reason, now }) => yank(tx, target, { reason }, now),
    done: 'The version is yanked: within 5 seconds it is offered to nobody who does not ask for it by number.',
    missing: NO_VERSION,
  },
  'unyank-version': {
    run: ({ tx, target, now }) => yank(tx, target, null, now),
    done: 'The version is offered again.',
    missing: NO_VERSION,
  },
  'set-file-quota': {
    async run({ tx, target, value, now }) {
      // One with just this handle comes before those that contain it.
      const [account] = await findAccounts(tx, target, 1, now)
      if (account?.handle !== target) return false
      await setQuota(tx, target, value === 'default' ? undefined : Number(value) * 1024 ** 3)
      return true
    },
    done: 'The quota holds from the next upload on. What is stored stays.',
    missing: 'Nobody has this handle.',
  },
} as const satisfies Readonly<Record<string, Action>>
export type ActionName = keyof typeof ACTIONS

async function yank(
  tx: OperatorDb,
  target: string,
  what: { readonly reason: string } | null,
  now: Date,
): Promise<boolean> {
  const [identifier = '', version = ''] = target.split('@')
  return await yankForOperator(tx, OPERATOR, { identifier, version }, what, now)
}

/** Why a command did nothing. */
export class OperatorRefused extends Error {
  override readonly name = 'OperatorRefused'
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

export async function lookUp(
  surroundings: Surroundings,
  name: LookName,
  question: Question,
): Promise<readonly Row[]> {
  return await inDatabase(
    surroundings,
    async (db) => (await LOOKS[name](db, question, systemClock.now())) as readonly Row[],
  )
}

/** Answers what has become true. */
export async function act(surroundings: Surroundings, name: ActionName, order: Order): Promise<string> {
  const { run, done, missing }: Action = ACTIONS[name]
  return await inDatabase(surroundings, (db) =>
    inTransaction(db, async (tx: OperatorDb) => {
      const now = systemClock.now()
      const { target, value, reason } = order
      if (!(await run({ ...order, tx, now }))) throw new OperatorRefused(missing)
      const noted = value === undefined ? target : `${target}: ${value}`
      await noteOperatorAction(tx, { at: now, action: name, target: noted, reason })
      return done
    }),
  )
}

/** Migrates nothing, as `admin.ts`. */
async function inDatabase<Result>(
  { environment, alsoKnown, runId }: Surroundings,
  work: (db: OperatorDb) => Promise<Result>,
): Promise<Result> {
  try {
    const { databaseUrl } = readConfig(serverConfig, environment, alsoKnown)
    const applicationName = `admin-${runId}`
    await using database = createDatabase<OperatorTables>({ url: databaseUrl, poolSize: 1, applicationName })
    return await work(database.db)
  } catch (error) {
    if (error instanceof OperatorRefused) throw error
    if (error instanceof ConfigError) throw new OperatorRefused(error.message, EXIT_CONFIG)
    const { text, exitCode } = explain(error)
    throw new OperatorRefused(text, exitCode)
  }
}

const sum = (bytes: ReadonlyMap<string, number>) => [...bytes.values()].reduce((all, each) => all + each, 0)
