import { createScanner } from 'jsonc-parser'
import { MAX_FINDINGS } from './package-faults.ts'
import type { Path } from './pointer.ts'

export interface RepeatedKey {
  readonly path: Path
  readonly offset: number
}

export interface Span {
  readonly start: number
  readonly end: number
}

export interface SourceScan {
  /** Where each entry of the top-level `packages` stands. */
  readonly packages: readonly Span[]
  /** Keys that occur twice in one object, by the entry of `packages` that they are in; undefined: in none. */
  readonly repeatedKeys: ReadonlyMap<number | undefined, readonly RepeatedKey[]>
}

interface Frame {
  /** The keys so far; undefined in an array. */
  readonly keys: Set<string> | undefined
  readonly start: number
  /** The current key, or index. */
  at: string | number
  expectsKey: boolean
}

/**
 * Walks a text that is JSON for what a parsed value no longer shows. Token by token: a recursive parser would fail on
 * a text that nests a million arrays.
 */
export function scanSource(text: string): SourceScan {
  const scanner = createScanner(text, true)
  const stack: Frame[] = []
  const repeatedKeys = new Map<number | undefined, RepeatedKey[]>()
  let packages: Span[] = []

  function enterKey(frame: Frame, key: string, offset: number): void {
    frame.at = key
    frame.expectsKey = false
    if (frame.keys?.has(key) === true) noteRepeated(offset)
    frame.keys?.add(key)
    if (stack.length > 1 || key !== 'packages') return
    // Of two lists the last one counts, as it does for the parser.
    packages = []
    for (const owner of repeatedKeys.keys()) if (owner !== undefined) repeatedKeys.delete(owner)
  }

  function noteRepeated(offset: number): void {
    const [root, list] = stack
    const owner = root?.at === 'packages' && typeof list?.at === 'number' ? list.at : undefined
    const known = repeatedKeys.get(owner) ?? []
    if (known.length < MAX_FINDINGS) known.push({ path: stack.map(({ at }) => at), offset })
    repeatedKeys.set(owner, known)
  }

  function endValue(start: number): void {
    const [root, list] = stack
    if (stack.length === 2 && root?.at === 'packages' && list?.keys === undefined)
      packages.push({ start, end: scanner.getTokenOffset() + scanner.getTokenLength() })
  }

  for (;;) {
    scanner.scan()
    const offset = scanner.getTokenOffset()
    if (offset >= text.length) return { packages, repeatedKeys }
    const frame = stack.at(-1)
    const token = text[offset]
    if (token === '{') stack.push({ keys: new Set(), start: offset, at: '', expectsKey: true })
    else if (token === '[') stack.push({ keys: undefined, start: offset, at: 0, expectsKey: false })
    else if (token === '}' || token === ']') {
      stack.pop()
      endValue(frame?.start ?? offset)
    } else if (token === ',') step(frame)
    else if (frame?.expectsKey === true) enterKey(frame, scanner.getTokenValue(), offset)
    else if (token !== ':') endValue(offset)
  }
}

function step(frame: Frame | undefined): void {
  if (frame === undefined) return
  if (typeof frame.at === 'number') frame.at += 1
  else frame.expectsKey = true
}
