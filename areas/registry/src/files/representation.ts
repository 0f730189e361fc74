import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ByteRange } from '@patchbay/kernel/http'
import { type Coding, compressLarge, compressSmall, ENCODINGS, type Encoding } from './encoding.ts'
import { entityTag } from './entity-tag.ts'

/** Too large to be held in memory. */
export interface Streamed {
  readonly stream: Readable
  readonly size: number
}

export type Bytes = Buffer | Streamed

/** One resource in all the codings that we have of it. */
export interface Representation {
  readonly sha256: string
  readonly codings: readonly Coding[]
  tag(coding: Coding): string
  /** The headers of a 304. */
  name(coding: Coding): Readonly<Record<string, string>>
  /** The headers of a body of this size. */
  describe(coding: Coding, size: number): Readonly<Record<string, string>>
  load(coding: Coding): Bytes | Promise<Bytes>
  /** Where a part of it can be asked for. */
  readonly parts?: Parts
}

export interface Parts {
  readonly size: number
  /** Whether it was read whole and unharmed a short while ago, so that nothing needs to hash it again. */
  isSound(): boolean
  open(range: ByteRange): Promise<Streamed>
}

/**
 * What can be taken down: a shared cache asks after 3 seconds, so that with the second that a node remembers it is gone
 * everywhere within 5. Whoever has it in a cache of their own has it.
 */
export const REMOVABLE = 'public, max-age=3600, s-maxage=3, must-revalidate'
export const IMMUTABLE = 'public, max-age=31536000, immutable'
/** A shared cache may keep it, and asks every time: whoever published wants to see it now, and a 304 costs little. */
export const REVALIDATED = 'public, max-age=0, must-revalidate'
/** What was revoked is over: nothing of it may come from a cache that did not ask. */
export const PRIVATE = 'private, no-cache'

export interface Description {
  readonly sha256: string
  readonly type: string
  readonly cacheControl: string
  readonly codings: readonly Coding[]
  readonly headers?: Readonly<Record<string, string>>
  readonly parts?: Parts
}

export function represent(
  { sha256, type, cacheControl, codings, headers = {}, parts }: Description,
  load: Representation['load'],
): Representation {
  const tag = (coding: Coding) => entityTag(sha256, coding)
  const name = (coding: Coding) => ({
    'cache-control': cacheControl,
    etag: tag(coding),
    vary: 'accept-encoding',
    ...headers,
  })
  const describe = (coding: Coding, size: number) => ({
    ...name(coding),
    ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
    'content-type': type,
    'content-length': `${size}`,
  })
  return { sha256, codings, tag, name, describe, load, ...(parts === undefined ? {} : { parts }) }
}

/** Compressed at once, up to this; more would keep everybody else waiting. */
export const SMALL_BYTES = 32 * 1024

/** Text in memory; each coding is made once, when the first client asks for it. */
export function representText(
  text: string,
  type: string,
  cacheControl: string,
  headers: Readonly<Record<string, string>> = {},
): Representation {
  const body = Buffer.from(text)
  const sha256 = createHash('sha256').update(body).digest('hex')
  const made = new Map<Coding, Buffer | Promise<Buffer>>([['identity', body]])
  const compress = (coding: Encoding): Buffer | Promise<Buffer> => {
    if (body.byteLength <= SMALL_BYTES) return compressSmall(coding, body)
    return compressLarge(coding, body).then((compressed) => {
      made.set(coding, compressed)
      return compressed
    })
  }
  return represent({ sha256, type, cacheControl, headers, codings: [...ENCODINGS, 'identity'] }, (coding) => {
    const known = made.get(coding)
    if (known !== undefined) return known
    const compressed = coding === 'identity' ? body : compress(coding)
    made.set(coding, compressed)
    return compressed
  })
}
