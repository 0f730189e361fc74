import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Older versions of these are refused because newer ones are here. */
const ANCHORS = ['root', 'timestamp', 'snapshot']
const SESSION_PREFIX = 'session-'
const SESSION_LIFETIME_MS = 3_600_000

interface Anchor {
  readonly name: string
  /** The version of the root that it was trusted under. */
  readonly epoch: number
  readonly version: number
}

/**
 * What is trusted, on disk. Anchors carry their version in their name and the highest counts, so that of two processes
 * the slower cannot take the faster one's away. The epoch counts first: a new root may begin with lower versions, after
 * a stolen key was used to push them up.
 */
export class TrustCache {
  readonly #folder: string

  constructor(cacheFolder: string, pinnedRoot: Uint8Array) {
    this.#folder = join(cacheFolder, createHash('sha256').update(pinnedRoot).digest('hex').slice(0, 32))
  }

  /** A new folder for tuf-js, on the same disk, so that files can be moved from there whole. */
  async createSession(): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const session = await mkdtemp(join(this.#folder, SESSION_PREFIX))
    await this.#removeOldSessions(session)
    return session
  }

  async read(role: string): Promise<Buffer | undefined> {
    if (!ANCHORS.includes(role)) return readIfThere(join(this.#folder, `${role}.json`))
    for (;;) {
      const newest = (await this.#list(role)).at(-1)
      if (newest === undefined) return undefined
      const bytes = await readIfThere(join(this.#folder, newest.name))
      // Gone since it was listed: another process has written a newer one.
      if (bytes !== undefined) return bytes
    }
  }

  /** Moves a file of a session here. */
  async keep(role: string, file: string, epoch: number, version: number): Promise<void> {
    if (!ANCHORS.includes(role)) return rename(file, join(this.#folder, `${role}.json`))
    const name = `${role}.${epoch}.${version}.json`
    await rename(file, join(this.#folder, name))
    const older = (await this.#list(role)).filter((anchor) => compare(anchor, { name, epoch, version }) < 0)
    await Promise.all(older.map((anchor) => rm(join(this.#folder, anchor.name), { force: true })))
  }

  /** Oldest first. */
  async #list(role: string): Promise<Anchor[]> {
    const pattern = new RegExp(`^${role}\\.(\\d+)\\.(\\d+)\\.json$`)
    return (await readdir(this.#folder))
      .map((name) => ({ name, match: pattern.exec(name) }))
      .filter(({ match }) => match !== null)
      .map(({ name, match }) => ({ name, epoch: Number(match?.[1]), version: Number(match?.[2]) }))
      .toSorted(compare)
  }

  async #removeOldSessions(current: string): Promise<void> {
    const { mtimeMs } = await stat(current)
    for (const name of await readdir(this.#folder)) {
      if (!name.startsWith(SESSION_PREFIX)) continue
      const path = join(this.#folder, name)
      const age = mtimeMs - ((await stat(path).catch(() => undefined))?.mtimeMs ?? mtimeMs)
      if (age > SESSION_LIFETIME_MS) await rm(path, { recursive: true, force: true })
    }
  }
}

function compare(a: Anchor, b: Anchor): number {
  return a.epoch - b.epoch || a.version - b.version
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
