import { mkdir, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ArchiveLimits } from '@patchbay/package-archive'
import type { Target } from '@patchbay/package-format'
import { type Surroundings, systemSurroundings } from '../surroundings.ts'
import type { Change, InstallOptions, OperationOptions, UpdateReport } from './change.ts'
import { differentFileSystems, explainDiskFailure } from './disk-failure.ts'
import type { InstallSource } from './install-source.ts'
import type { InstalledPackage } from './installed-package.ts'
import { layoutOf } from './layout.ts'
import { checkAll, type FileReport } from './operations/check-files.ts'
import { install } from './operations/install.ts'
import {
  findOutdated,
  listInstalled,
  listOutdated,
  type Outdated,
  type OutdatedReport,
} from './operations/list.ts'
import { pin, unpin } from './operations/pin.ts'
import { remove } from './operations/remove.ts'
import { rollback } from './operations/rollback.ts'
import { updateAll, updateOne } from './operations/update.ts'
import { withRootLock } from './root-lock.ts'
import { type InstalledState, readState } from './state/installed-state.ts'
import { recover } from './switch/recovery.ts'
import type { Step, Workplace } from './workplace.ts'

export interface ManagerOptions {
  /** The folder that the tool reads: `plugins`, `footprints` and so on are below it. */
  readonly root: string
  /** On the same file system; `.patchbay` inside the root always is. */
  readonly stateFolder: string
  readonly target: Target
  readonly source: InstallSource
  /** Spellings that the metadata in archives may use beside the neutral one. */
  readonly brands?: readonly string[]
  readonly limits?: Partial<ArchiveLimits>
  /** How long to wait for another manager. */
  readonly lockPatienceMs?: number
  /** Told what a person should know: waiting for another manager, a change that was finished, a restored file. */
  readonly onNotice?: (message: string) => void
  readonly deps?: ManagerDeps
}

export interface ManagerDeps extends Partial<Pick<Surroundings, 'now' | 'randomUUID'>> {
  readonly step?: Step
}

export interface PackageManager {
  install(identifier: string, options?: InstallOptions): Promise<Change>
  /** Without an identifier: all that are not pinned. */
  update(identifier?: string, options?: OperationOptions): Promise<UpdateReport>
  remove(identifier: string): Promise<Change>
  rollback(identifier: string, options?: Pick<OperationOptions, 'force'>): Promise<Change>
  pin(identifier: string): Promise<void>
  unpin(identifier: string): Promise<void>
  list(): Promise<InstalledPackage[]>
  /** What cannot be asked for is told as a notice. */
  outdated(): Promise<Outdated[]>
  /** The same, with a failure for each package that cannot be asked for. */
  findOutdated(): Promise<OutdatedReport>
  /** Without an identifier: all. */
  check(identifier?: string): Promise<FileReport[]>
}

const PATIENCE_MS = 10_000

/** Finishes or undoes what was interrupted, and is then ready for work. The lock is held only while it works. */
export async function openManager(options: ManagerOptions): Promise<PackageManager> {
  const { onNotice = () => undefined, deps = {} } = options
  const { now = systemSurroundings.now, randomUUID: createId = systemSurroundings.randomUUID } = deps
  const place: Workplace = {
    layout: layoutOf(resolve(options.root), resolve(options.stateFolder)),
    target: options.target,
    source: options.source,
    brands: options.brands ?? [],
    limits: options.limits ?? {},
    now,
    step: deps.step ?? (() => undefined),
    notify: (message) => onNotice(message),
  }
  const lockOptions = {
    patienceMs: options.lockPatienceMs ?? PATIENCE_MS,
    now,
    createId,
    notify: place.notify,
  }
  const work = async <T>(run: (state: InstalledState) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      const settings = signal === undefined ? lockOptions : { ...lockOptions, signal }
      return await withRootLock(place.layout.lock, settings, async () => run(await recover(place)))
    } catch (error) {
      throw explainDiskFailure(error)
    }
  }
  const look = async <T>(run: (state: InstalledState) => Promise<T>): Promise<T> => {
    const state = await readState(place.layout)
    return typeof state === 'object' ? run(state) : work(run)
  }

  await makeFolders(place).catch((error: unknown) => {
    throw explainDiskFailure(error)
  })
  await work(async () => undefined)

  return {
    install: (identifier, wishes = {}) =>
      work((state) => install(place, state, identifier, wishes), wishes.signal),
    update: (identifier, wishes = {}) =>
      work(
        (state) =>
          identifier === undefined
            ? updateAll(place, state, wishes)
            : updateOne(place, state, identifier, wishes),
        wishes.signal,
      ),
    remove: (identifier) => work((state) => remove(place, state, identifier)),
    rollback: (identifier, wishes) => work((state) => rollback(place, state, identifier, wishes)),
    pin: (identifier) => work((state) => pin(place, state, identifier)),
    unpin: (identifier) => work((state) => unpin(place, state, identifier)),
    list: () => look((state) => listInstalled(place, state)),
    findOutdated: () => look((state) => findOutdated(place, state)),
    outdated: () => look((state) => listOutdated(place, state)),
    check: (identifier) => work((state) => checkAll(place, state, identifier)),
  }
}

async function makeFolders({ layout }: Workplace): Promise<void> {
  for (const folder of [layout.root, layout.state, layout.packages]) await mkdir(folder, { recursive: true })
  const [root, state] = [await stat(layout.root), await stat(layout.state)]
  if (root.dev !== state.dev) throw differentFileSystems('', {})
}
