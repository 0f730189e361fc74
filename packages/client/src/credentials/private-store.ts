import { withLock } from '@patchbay/primitives/files'
import { checkBaseUrl } from '../base-url.ts'
import { newUuid } from '../new-uuid.ts'
import { type Surroundings, systemSurroundings } from '../surroundings.ts'
import { CredentialsFault } from './credentials-fault.ts'
import { makePrivateFolder, readPrivateFile, writePrivateFile } from './private-file.ts'

const VERSION = 1
/** Whoever holds the lock needs milliseconds, unless it was killed where this process cannot see it. */
const LOCK_PATIENCE_MS = 15_000

interface Content {
  readonly version: typeof VERSION
  readonly servers: Readonly<Record<string, unknown>>
}

interface Change<Entry> {
  readonly former: Entry | undefined
  /** The same object: nothing is written. */
  readonly servers: Content['servers']
}

/** One entry per installation, in a file that its user alone can read. */
export class PrivateStore<Entry> {
  readonly path: string
  readonly #parse: (value: unknown) => Entry | undefined
  readonly #surroundings: Surroundings

  constructor(
    path: string,
    parse: (value: unknown) => Entry | undefined,
    surroundings: Surroundings = systemSurroundings,
  ) {
    this.path = path
    this.#parse = parse
    this.#surroundings = surroundings
  }

  async find(baseUrl: string): Promise<Entry | undefined> {
    const { servers } = await this.#read()
    const key = keyOf(baseUrl)
    if (!Object.hasOwn(servers, key)) return undefined
    const entry = this.#parse(servers[key])
    if (entry === undefined) throw new CredentialsFault(this.path, 'has an entry that cannot be used')
    return entry
  }

  /** Those that can be used. */
  async list(): Promise<readonly Entry[]> {
    const { servers } = await this.#read()
    return Object.values(servers).flatMap((value) => this.#parse(value) ?? [])
  }

  async store(baseUrl: string, entry: Entry): Promise<void> {
    await this.replace(baseUrl, entry)
  }

  /** Stores the entry and answers the one it took the place of. Unless that one is as expected, nothing is stored. */
  async replace(
    baseUrl: string,
    entry: Entry,
    isExpected: (former: Entry | undefined) => boolean = () => true,
  ): Promise<Entry | undefined> {
    const key = keyOf(baseUrl)
    return await this.#change((servers) => {
      const former = this.#entryIn(servers, key)
      return { former, servers: isExpected(former) ? { ...servers, [key]: entry } : servers }
    })
  }

  /** Finds and removes in one step: of two processes that take the same entry, one gets it. */
  async take(baseUrl: string, isWanted: (entry: Entry) => boolean): Promise<Entry | undefined> {
    const key = keyOf(baseUrl)
    if (!Object.hasOwn((await this.#read()).servers, key)) return undefined
    return await this.#change((servers) => {
      const former = this.#entryIn(servers, key)
      if (former === undefined || !isWanted(former)) return { former: undefined, servers }
      return { former, servers: without(servers, key) }
    })
  }

  /** Whether there was one. */
  async remove(baseUrl: string): Promise<boolean> {
    const key = keyOf(baseUrl)
    if (!Object.hasOwn((await this.#read()).servers, key)) return false
    await this.#change((servers) => ({ former: undefined, servers: without(servers, key) }))
    return true
  }

  #entryIn(servers: Content['servers'], key: string): Entry | undefined {
    return Object.hasOwn(servers, key) ? this.#parse(servers[key]) : undefined
  }

  async #change(edit: (servers: Content['servers']) => Change<Entry>): Promise<Entry | undefined> {
    await makePrivateFolder(this.path)
    return await this.#alone(async () => {
      const before = (await this.#read()).servers
      const { former, servers } = edit(before)
      if (servers === before) return former
      const content: Content = { version: VERSION, servers }
      const { randomBytes: drawBytes } = this.#surroundings
      const unique = Buffer.from(drawBytes(8)).toString('hex')
      await writePrivateFile(this.path, `${JSON.stringify(content, null, 2)}\n`, unique)
      return former
    })
  }

  /** One writer at a time: two logins at two servers must not undo each other's entry. */
  async #alone<T>(work: () => Promise<T>): Promise<T> {
    const options = {
      createId: () => newUuid(this.#surroundings),
      now: this.#surroundings.now,
      patienceMs: LOCK_PATIENCE_MS,
      busy: () => new CredentialsFault(this.path, 'is being written by another process'),
    }
    return await withLock(`${this.path}.lock`, options, work)
  }

  async #read(): Promise<Content> {
    const text = await readPrivateFile(this.path)
    if (text === undefined) return { version: VERSION, servers: {} }
    const { version, servers } = Object(parseJson(text)) as Record<string, unknown>
    if (typeof servers !== 'object' || servers === null)
      throw new CredentialsFault(this.path, 'is damaged: it is not the JSON that was written')
    if (version !== VERSION) throw new CredentialsFault(this.path, 'was written by another version')
    return { version, servers: servers as Content['servers'] }
  }
}

function without(servers: Content['servers'], key: string): Content['servers'] {
  const { [key]: _removed, ...others } = servers
  return others
}

function keyOf(baseUrl: string): string {
  return new URL(checkBaseUrl(baseUrl)).origin
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
