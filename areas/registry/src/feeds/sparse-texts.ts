import { BoundedCache } from '../files/bounded-cache.ts'
import { REVALIDATED, type Representation, representText } from '../files/representation.ts'
import { LARGEST_SPARSE } from './listed-package.ts'

interface SparseEntry {
  readonly text: string
  readonly readAt: number
  /** Absent: more than is served. */
  readonly representation: Representation | undefined
}

export interface SparseTexts {
  /** `undefined`: nothing is there; `too large`: more than is served. */
  find(key: string, ask: () => Promise<string | undefined>): Promise<Representation | 'too large' | undefined>
  /** Large ones are asked for again. */
  forget(): void
}

/** The text twice, as bytes, and what it is compressed to; the largest that is served fits. */
const CHARACTER_WEIGHT = 4
const MAX_WEIGHT = 2 * CHARACTER_WEIGHT * LARGEST_SPARSE
const LARGE_CHARACTERS = 256 * 1024
const LARGE_KEPT_MS = 1_000
const HEADERS = ['application/json', REVALIDATED] as const

/**
 * What was made of sparse texts: hash and compressed forms. The database is asked every time what the text is, so that
 * whoever published sees it; only large ones, which take it long, are good for a second or until the index changes.
 */
export function createSparseTexts(): SparseTexts {
  const entries = new BoundedCache<SparseEntry>({
    maxWeight: MAX_WEIGHT,
    weigh: ({ text }) => 1 + text.length * CHARACTER_WEIGHT,
  })
  let changedAt = 0
  // Keeps nothing: only so that many who ask at once ask once.
  const loading = new BoundedCache<SparseEntry>({ maxWeight: 0, weigh: () => 1 })

  const make = (key: string, text: string, readAt: number): SparseEntry => {
    const known = entries.peek(key)
    const represent = () => (known?.text === text ? known.representation : representText(text, ...HEADERS))
    const entry =
      text.length > LARGEST_SPARSE
        ? { text: '', readAt, representation: undefined }
        : { text, readAt, representation: represent() }
    entries.put(key, entry)
    return entry
  }
  const isLarge = ({ text, representation }: SparseEntry) =>
    representation === undefined || text.length > LARGE_CHARACTERS

  return {
    async find(key, ask) {
      const known = entries.peek(key)
      const load = async () => {
        const readAt = performance.now()
        const text = await ask()
        return text === undefined ? undefined : make(key, text, readAt)
      }
      const find = () => {
        if (known === undefined || !isLarge(known)) return load()
        const oldest = Math.max(changedAt, performance.now() - LARGE_KEPT_MS)
        return known.readAt > oldest ? known : loading.load(key, load)
      }
      const entry = await find()
      return entry === undefined ? undefined : (entry.representation ?? 'too large')
    },
    forget() {
      changedAt = performance.now()
      loading.clear()
    },
  }
}
