import type { ObjectStore } from '../../src/objects/index.ts'

/** An empty store of a test's own, and ways to look behind its back. */
export interface StoreUnderTest extends AsyncDisposable {
  readonly store: ObjectStore
  /** Writes bytes where the object of this name is kept, as a failing disk would. */
  readonly damage: (sha256: string, bytes: Uint8Array) => Promise<void>
  /** Puts something beside the objects that is none. */
  readonly litter: (name: string) => Promise<void>
  /** Everything below the store that is no object. */
  readonly leftovers: () => Promise<readonly string[]>
  /** How many files or connections of the store are open in this process. */
  readonly held: () => number
}

export interface StoreKind {
  readonly open: () => Promise<StoreUnderTest>
  /** A store whose root or bucket is not there. */
  readonly openMissing: () => Promise<ObjectStore>
}
