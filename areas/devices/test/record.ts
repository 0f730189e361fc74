import type { DeviceValue } from '@patchbay/contracts/devices'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { createLog } from '@patchbay/kernel/log'
import { createDatabase } from '@patchbay/kernel/postgres'
import { createRecorder } from '../src/recorder.store.ts'
import type { DevicesTables } from '../src/tables.ts'

export interface PastValue {
  readonly channel: string
  readonly value: DeviceValue
  readonly at: number
}

interface Past {
  readonly databaseUrl: string
  readonly workspace: WorkspaceRef
  readonly device: string
  /** In their order. */
  readonly values: readonly PastValue[]
}

const SETTINGS = { secondsDays: 7, minutesWeeks: 8, hoursDays: 365, fileDays: 30, ownerBytes: 1024 ** 3 }
/** Later than it a second would be given up, as one that could not be stored in time. */
const FLUSH_MS = 20_000

/** What a device said in the past, kept as a node keeps it whose clock shows the times of the values. */
export async function recordPast({ databaseUrl, workspace, device, values }: Past): Promise<void> {
  const log = createLog({ level: 'silent', process: 'server' })
  await using database = createDatabase<DevicesTables>({
    url: databaseUrl,
    poolSize: 2,
    applicationName: 'past',
    log,
  })
  const { id } = await database.db
    .selectFrom('devices')
    .select('id')
    .where('owner', '=', workspace.owner)
    .where('repo', '=', workspace.repo)
    .where('name', '=', device)
    .executeTakeFirstOrThrow()
  let now = values[0]?.at ?? 0
  const recorder = createRecorder({
    db: database.db,
    copy: database.copy,
    clock: { now: () => new Date(now) },
    log,
    node: 'past',
    broker: { isUp: true },
    settings: { recording: SETTINGS },
  })
  let flushed = now
  await recorder.flush()
  for (const { channel, value, at } of values) {
    now = at
    recorder.hear({ device: id, channel, value, at })
    if (now - flushed < FLUSH_MS) continue
    flushed = now
    await recorder.flush()
  }
  await recorder.stop()
}
