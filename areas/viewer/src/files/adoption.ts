import type { Size } from '../ports.ts'
import type { PasteRecord } from './paste-record.ts'

/** Two files that look like those of a paste. */
export interface FoundPair extends Size {
  readonly name: string
  readonly bytes: { readonly optimized: number; readonly original: number }
  readonly madeAt: Date
}

/** Records begin with it, so that one that was cut off still tells whose it was. */
const START = /^\{"record":\{"name":"([a-z0-9-]+)".*?"optimized":\{"width":(\d+),"height":(\d+)/s

/** What can be told of a paste whose record cannot be read. One that says nothing at all stands for the newest pair. */
export function adoptPair(
  { id, text }: { readonly id: string; readonly text: string },
  pairs: readonly FoundPair[],
): PasteRecord | undefined {
  const [, name, width, height] = START.exec(text) ?? []
  const pair =
    name === undefined
      ? pairs.toSorted((a, b) => b.madeAt.getTime() - a.madeAt.getTime())[0]
      : pairs.find(
          (each) => each.name === name && each.width === Number(width) && each.height === Number(height),
        )
  if (pair === undefined) return undefined
  const size = { width: pair.width, height: pair.height }
  return {
    name: pair.name,
    namedBy: null,
    optimized: { ...size, bytes: pair.bytes.optimized },
    original: { ...size, bytes: pair.bytes.original },
    id,
    // A file of an archive may be older than the time that we count in.
    createdAt: new Date(Math.max(0, pair.madeAt.getTime())).toISOString(),
    title: null,
    earlier: [],
    isNaming: false,
    namingNote: null,
    source: { type: 'image/png', bytes: pair.bytes.original, fileName: null },
    removedAt: null,
  }
}
