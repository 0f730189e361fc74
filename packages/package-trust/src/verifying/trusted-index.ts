import { createHash } from 'node:crypto'
import { Metadata, MetadataKind, type Targets } from '@tufjs/models'
import type { Updater } from 'tuf-js'
import { failureOf } from './failure-reason.ts'
import { TRUST_LIMITS, type TrustLimits } from './limits.ts'
import { type Fetch, MetadataFetcher } from './metadata-fetcher.ts'
import { Session } from './session.ts'
import { TrustCache } from './trust-cache.ts'
import { TrustFailure } from './trust-failure.ts'
import { createUpdater } from './updater.ts'

export interface TrustedIndexOptions {
  /** The `tuf/` folder of the repository: http, https or file. */
  readonly metadataUrl: string
  /** Where trusted metadata is kept. Several repositories and processes may share it. */
  readonly cacheFolder: string
  /** A root that is trusted because it came another way. */
  readonly root: Uint8Array
  readonly fetch: Fetch
  /** Default: the clock of the machine. */
  readonly now?: () => Date
  readonly limits?: Partial<TrustLimits>
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

export interface ListedFile {
  readonly length: number
  readonly sha256: string
}

/** What a refresh led to. Later states have a later root, or the same root and a later timestamp. */
export interface TrustedState {
  readonly rootVersion: number
  readonly timestampVersion: number
  /** From this second on it is not to be used: the earliest expiry of its metadata. */
  readonly expires: Date
}

export interface TrustedIndex {
  /** Follows the repository to its present state. After a failure the index answers from the last good one, if any. */
  refresh(options?: CallOptions): Promise<TrustedState>
  /** Refreshes first if that was not done yet. `undefined` if the index does not list the path. */
  find(path: string, options?: CallOptions): Promise<ListedFile | undefined>
  /** Resolves if the bytes are those that the index lists; rejects with `not_listed` or `mix_and_match` otherwise. */
  check(path: string, bytes: Uint8Array, options?: CallOptions): Promise<ListedFile>
}

/** The state that one refresh led to. */
interface State {
  readonly session: Session
  readonly updater: Updater
  readonly targets: Targets
  readonly reached: TrustedState
}

const PROTOCOLS = ['http:', 'https:', 'file:']
const BIN_NAME = /^[\w-]+$/
const SHA256 = /^[0-9a-f]{64}$/

export function openTrustedIndex(options: TrustedIndexOptions): TrustedIndex {
  const { protocol } = new URL(options.metadataUrl)
  if (!PROTOCOLS.includes(protocol))
    throw new TypeError(`metadataUrl is ${protocol}; http, https or file is needed`)
  const limits = { ...TRUST_LIMITS, ...options.limits }
  const cache = new TrustCache(options.cacheFolder, options.root)
  const fetcher = new MetadataFetcher(options.fetch, limits.targetsBytes)
  let state: State | undefined
  let last: Promise<unknown> = Promise.resolve()

  /** One after the other: an updater and its folder serve one call at a time. */
  function inTurn<T>({ signal }: CallOptions, work: () => Promise<T>): Promise<T> {
    const turn = last.then(() => {
      const deadline = AbortSignal.timeout(limits.deadlineMs)
      fetcher.begin(signal === undefined ? deadline : AbortSignal.any([deadline, signal]))
      return work()
    })
    last = turn.catch(() => undefined)
    return turn.catch((error: unknown) => {
      signal?.throwIfAborted()
      throw failureOf(fetcher.failure ?? error)
    })
  }

  async function refresh(): Promise<State> {
    const session = await Session.open(cache)
    try {
      const { metadataUrl, root: pinnedRoot } = options
      const updater = await createUpdater({
        session,
        metadataUrl,
        pinnedRoot,
        fetcher,
        limits,
        now: options.now?.(),
      })
      await updater.refresh()
      const reached = await readReached(session)
      state = { session, updater, targets: readTargets(await session.read('targets')), reached }
      return state
    } finally {
      await session.close()
    }
  }

  async function find(path: string): Promise<ListedFile | undefined> {
    // The updater looks paths up in plain objects, which have these without being told.
    if (path in Object.prototype) return undefined
    const { session, updater, targets } = state ?? (await refresh())
    await session.resume()
    try {
      for (const { role } of targets.delegations?.rolesForTarget(path) ?? []) {
        if (BIN_NAME.test(role)) await session.load(role)
      }
      const file = await updater.getTargetInfo(path)
      const sha256 = file?.hashes['sha256']
      return file === undefined || sha256 === undefined || !SHA256.test(sha256)
        ? undefined
        : { length: file.length, sha256 }
    } finally {
      await session.close()
    }
  }

  return {
    refresh: async (call = {}) => (await inTurn(call, refresh)).reached,
    find: (path, call = {}) => inTurn(call, () => find(path)),
    check: async (path, bytes, call = {}) => {
      const file = await inTurn(call, () => find(path))
      if (file === undefined) throw new TrustFailure('not_listed', `The signed index does not list ${path}`)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      if (file.length === bytes.length && file.sha256 === sha256) return file
      throw new TrustFailure('mix_and_match', `${path} is not the file that the signed index names`)
    },
  }
}

/** From what tuf-js has checked just now. */
async function readReached(session: Session): Promise<TrustedState> {
  const read = async (role: string) => readHead(await session.read(role))
  const root = await read('root')
  const timestamp = await read('timestamp')
  const all = [root, timestamp, await read('snapshot'), await read('targets')]
  return {
    rootVersion: root.version,
    timestampVersion: timestamp.version,
    expires: new Date(Math.min(...all.map(({ expires }) => Date.parse(expires)))),
  }
}

function readHead(bytes: Buffer): { readonly version: number; readonly expires: string } {
  const { signed } = JSON.parse(bytes.toString('utf8')) as { readonly signed: ReturnType<typeof readHead> }
  return signed
}

function readTargets(bytes: Buffer): Targets {
  const document = JSON.parse(bytes.toString('utf8')) as Parameters<typeof Metadata.fromJSON>[1]
  return Metadata.fromJSON(MetadataKind.Targets, document).signed
}
