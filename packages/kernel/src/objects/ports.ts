import type { Readable } from 'node:stream'

/**
 * Bytes under the name of their SHA-256. Two implementations, files and S3; one contract suite runs on both.
 * When the engine fails or cannot be reached, a call rejects with `Problem('objects_unavailable')`; it works again,
 * without a restart, once the engine is back.
 */
export interface ObjectStore extends AsyncDisposable {
  /**
   * Stores what `source` yields. The source is closed (its iterator's `return`) when the put ends before the source does;
   * pass `readable.iterator({ destroyOnReturn: false })` to keep a request open for the answer.
   */
  put(source: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<StoredObject>
  /**
   * `undefined`: no such object. The stream must be read to its end or destroyed. It fails with `ObjectCorrupt` instead
   * of ending when the bytes do not hash to the name, and keeps the last ones back until they do.
   */
  get(sha256: string, options?: { readonly signal?: AbortSignal }): Promise<ObjectContent | undefined>
  /**
   * A whole object of this size in memory, for small ones: a stream costs several times what it carries then. It fails
   * with `ObjectCorrupt` when the stored bytes are others than these.
   */
  read(sha256: string, size: number): Promise<Buffer | undefined>
  /** Bytes of an object from `first` to `last`, both included. Nothing checks them: a hash is one of the whole. */
  getPart(sha256: string, part: ObjectPart): Promise<ObjectContent | undefined>
  /** Where the object is below the folder or the prefix of the store. */
  pathOf(sha256: string): string
  /** An address where anybody can read the object for a while, in a store that speaks HTTP. */
  signAddress?(sha256: string, answer: SignedAnswer): Promise<string>
  stat(sha256: string): Promise<ObjectStat | undefined>
  /** Objects in the order of their names. */
  list(options: ListOptions): Promise<ObjectPage>
  /** `false`: there was none. */
  delete(sha256: string): Promise<boolean>
  /** Resolves when the engine can be used, rejects with `Problem('objects_unavailable')` otherwise. For `/ready`. */
  ping(): Promise<void>
  close(): Promise<void>
}

export interface PutOptions {
  /** Refuses other bytes than these. */
  readonly expectedSha256?: string
  /** Refuses more bytes than these; never above `MAX_OBJECT_BYTES`. */
  readonly maxBytes?: number
  /** The only limit on a slow producer. An aborted put rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

export interface StoredObject {
  readonly sha256: string
  readonly size: number
  /** Whether this call wrote it. Of two puts at once, both may say so. */
  readonly created: boolean
}

export interface ObjectContent {
  readonly size: number
  readonly stream: Readable
}

export interface ObjectPart {
  readonly first: number
  readonly last: number
}

/** What the store is to say of the object when it is read at a signed address. */
export interface SignedAnswer {
  readonly now: Date
  readonly seconds: number
  readonly contentType: string
  readonly contentDisposition: string
  readonly cacheControl: string
}

export interface ObjectStat {
  readonly size: number
  /** When it was written. A repeated put does not move it. */
  readonly storedAt: Date
}

export interface ListOptions {
  /** The `next` of the page before. */
  readonly after?: string
  /** 1 to `MAX_PAGE`. */
  readonly limit: number
}

export interface ObjectPage {
  readonly objects: readonly ListedObject[]
  /** Absent on the last page. */
  readonly next?: string
}

export interface ListedObject extends ObjectStat {
  readonly sha256: string
}
