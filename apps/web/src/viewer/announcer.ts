import { createValueStore, type ValueStore } from '../parts/value-store.ts'

export interface Announcement {
  /** The same words twice are two announcements. */
  readonly count: number
  readonly words: string
}

export interface Announcer {
  readonly latest: ValueStore<Announcement>
  say(words: string): void
}

/** Three pictures that are saved at once would otherwise be one: screen readers speak the last change of a place. */
const TOGETHER_MS = 200

export function createAnnouncer(): Announcer {
  const latest = createValueStore<Announcement>({ count: 0, words: '' })
  let pending: string[] = []
  return {
    latest,
    say(words) {
      pending.push(words)
      if (pending.length > 1) return
      setTimeout(() => {
        latest.set({ count: latest.get().count + 1, words: pending.join(' ') })
        pending = []
      }, TOGETHER_MS)
    },
  }
}
