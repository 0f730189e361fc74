const LONGEST_MS = 10_000
const MOST = 50

export interface Revisions {
  /** The panel shows this revision once what it began for it is done. */
  reach(revision: number, done: Promise<void>): void
  /** Settles once the panel shows this revision, or a later one. */
  shows(revision: number): Promise<void>
}

export function createRevisions(): Revisions {
  const waiting = new Set<() => void>()
  let shown = 0
  return {
    reach(revision, done) {
      void done.finally(() => {
        shown = Math.max(shown, revision)
        for (const look of waiting) look()
      })
    },
    shows(revision) {
      if (revision <= shown) return Promise.resolve()
      if (waiting.size >= MOST) return Promise.reject(new Error('too many wait for this panel'))
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look)
          reject(new Error(`revision ${revision} did not come in time`))
        }, LONGEST_MS)
        function look(): void {
          if (revision > shown) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
      })
    },
  }
}
