import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TrustCache } from './trust-cache.ts'

/**
 * The folder that one updater of tuf-js works in. tuf-js writes its files in place, one by one: in a folder that others
 * share, a crash or a second process would leave half a file, and half a timestamp protects from no rollback.
 */
export class Session {
  readonly folder: string
  readonly #cache: TrustCache
  readonly #given = new Map<string, Buffer>()

  private constructor(cache: TrustCache, folder: string) {
    this.#cache = cache
    this.folder = folder
  }

  static async open(cache: TrustCache): Promise<Session> {
    return new Session(cache, await cache.createSession())
  }

  /** tuf-js goes on writing to the folder it was made with. */
  async resume(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
  }

  async load(role: string): Promise<boolean> {
    const bytes = await this.#cache.read(role)
    if (bytes !== undefined) await this.put(role, bytes)
    return bytes !== undefined
  }

  async put(role: string, bytes: Buffer): Promise<void> {
    await writeFile(this.#pathOf(role), bytes)
    this.#given.set(role, bytes)
  }

  async read(role: string): Promise<Buffer> {
    return readFile(this.#pathOf(role))
  }

  /** Keeps what tuf-js has written. What was given to it would otherwise count as trusted under a root that is newer. */
  async close(): Promise<void> {
    try {
      const files = await this.#readAll()
      const written = [...files].filter(([role, bytes]) => this.#given.get(role)?.equals(bytes) !== true)
      const root = files.get('root')
      for (const [role, bytes] of written) {
        await flushFile(this.#pathOf(role))
        const epoch = root === undefined ? 0 : readVersion(root)
        await this.#cache.keep(role, this.#pathOf(role), epoch, readVersion(bytes))
      }
    } finally {
      await rm(this.folder, { recursive: true, force: true })
    }
  }

  async #readAll(): Promise<Map<string, Buffer>> {
    const files = new Map<string, Buffer>()
    for (const name of await readdir(this.folder)) {
      const role = name.slice(0, -'.json'.length)
      files.set(role, await this.read(role))
    }
    return files
  }

  #pathOf(role: string): string {
    return join(this.folder, `${role}.json`)
  }
}

/** A power cut after the move could otherwise leave an empty file. */
async function flushFile(path: string): Promise<void> {
  await using file = await open(path, 'r+')
  await file.sync()
}

/** Of metadata that tuf-js has checked. */
function readVersion(bytes: Buffer): number {
  const { signed } = JSON.parse(bytes.toString('utf8')) as { readonly signed: { readonly version: number } }
  return signed.version
}
