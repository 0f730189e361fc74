import { rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomically } from '@patchbay/primitives/files'
import { GRACE_MS, listFolder, PRIVATE, readIfThere, removeUnfinished } from '../file-system.ts'
import { createUniqueId } from '../surroundings.ts'
import { sha256Of } from './body.ts'
import {
  type CachedFile,
  type CacheState,
  isStateName,
  parseFile,
  parseObject,
  parseState,
  stateName,
} from './cache-state.ts'

export interface CachedRepository {
  readonly state: CacheState
  readonly repository: Uint8Array
  readonly packages: Uint8Array
}

const LOOKS = 3

/** The last good state of one repository on disk. Any number of processes may use it at once. */
export class RepositoryCache {
  readonly folder: string
  readonly #now: () => number

  /**
   * The folder is that of the address: what one repository says never answers for another, and what was read without
   * signatures never where they are asked for.
   */
  constructor(cacheFolder: string, repository: URL, isSigned: boolean, now: () => number) {
    this.folder = join(cacheFolder, sha256Of(`${repository.href}\n${isSigned ? 'signed' : ''}`).slice(0, 32))
    this.#now = now
  }

  async load(): Promise<CachedRepository | undefined> {
    // Between the look at the names and the reading, another process may have replaced what was found.
    for (let look = 0; look < LOOKS; look += 1) {
      for (const name of (await this.#stateNames()).toReversed()) {
        const found = await this.#loadState(name)
        if (found !== undefined) return found
      }
    }
    return undefined
  }

  /** The newest moment that was ever seen, also when what belongs to it can no longer be read. */
  async newestOrder(): Promise<number> {
    return Number((await this.#stateNames()).at(-1)?.slice(0, 16) ?? 0)
  }

  /** Makes a state the current one, unless a newer one is there already. `isForced`: also then. */
  async save(
    state: Omit<CacheState, 'sequence'>,
    blobs: readonly Uint8Array[],
    isForced = false,
  ): Promise<void> {
    for (const blob of blobs) await this.writeBlob(blob)
    const before = await this.#stateNames()
    const sequence = Number(before.at(-1)?.slice(17, 33) ?? 0) + 1
    const name = stateName({ ...state, sequence }, createUniqueId())
    await writeAtomically(
      join(this.folder, 'states', name),
      `${JSON.stringify({ ...state, sequence })}\n`,
      unique(),
    )
    await this.#removeStates(isForced ? before : before.filter((each) => each < name))
    await this.#removeUnusedBlobs()
    for (const folder of [this.folder, join(this.folder, 'states')])
      await removeUnfinished(folder, this.#now())
  }

  async readBlob(sha256: string): Promise<Uint8Array | undefined> {
    const bytes = await readIfThere(this.blobPath(sha256))
    return bytes !== undefined && sha256Of(bytes) === sha256 ? bytes : undefined
  }

  async writeBlob(bytes: Uint8Array): Promise<string> {
    const sha256 = sha256Of(bytes)
    if ((await this.readBlob(sha256)) === undefined)
      await writeAtomically(this.blobPath(sha256), bytes, unique())
    else await utimes(this.blobPath(sha256), this.#now() / 1000, this.#now() / 1000).catch(() => undefined)
    return sha256
  }

  blobPath(sha256: string): string {
    return join(this.folder, 'blobs', sha256)
  }

  async readResources(): Promise<CachedFile | undefined> {
    return parseFile(parseObject((await readIfThere(join(this.folder, 'resources.json')))?.toString() ?? ''))
  }

  async saveResources(file: CachedFile): Promise<void> {
    await writeAtomically(join(this.folder, 'resources.json'), `${JSON.stringify(file)}\n`, unique())
  }

  async #stateNames(): Promise<string[]> {
    const names = await listFolder(join(this.folder, 'states'))
    return names.filter(isStateName).toSorted()
  }

  async #removeStates(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => rm(join(this.folder, 'states', name), { force: true })))
  }

  async #loadState(name: string): Promise<CachedRepository | undefined> {
    const state = await this.#readState(name)
    if (state === undefined) return undefined
    const [repository, packages] = await Promise.all([
      this.readBlob(state.repository.sha256),
      this.readBlob(state.packages.sha256),
    ])
    return repository === undefined || packages === undefined ? undefined : { state, repository, packages }
  }

  async #readState(name: string): Promise<CacheState | undefined> {
    return parseState((await readIfThere(join(this.folder, 'states', name)))?.toString() ?? '')
  }

  async #removeUnusedBlobs(): Promise<void> {
    const states = await Promise.all((await this.#stateNames()).map((name) => this.#readState(name)))
    const used = new Set([
      ...states.flatMap((state) => [state?.repository.sha256, state?.packages.sha256]),
      (await this.readResources())?.sha256,
    ])
    for (const name of await listFolder(join(this.folder, 'blobs'))) {
      // Another process may be about to name a file that it has just written.
      const path = join(this.folder, 'blobs', name)
      const age = this.#now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? this.#now())
      if (!used.has(name) && age > GRACE_MS) await rm(path, { force: true })
    }
  }
}

/** Several processes may write the same name at once. */
function unique() {
  return { ...PRIVATE, id: createUniqueId() }
}
