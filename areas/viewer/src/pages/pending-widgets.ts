import { Problem } from '@patchbay/contracts/core'

interface Showing {
  readonly pageId: string
  readonly settle: (outcome: 'shown' | 'silent' | 'stopped') => void
}

/** Callers that wait for a page to show a widget, each for a few seconds. */
const MOST_AT_ONCE = 64

/** Widgets that pages were asked to show and have not shown yet, oldest first. */
export class PendingWidgets {
  readonly #withinMs: number
  readonly #open = new Map<string, Showing>()

  constructor(withinMs: number) {
    this.#withinMs = withinMs
  }

  /** Whether the page said in time that the widget is there. */
  async wait(id: string, pageId: string, signal: AbortSignal): Promise<boolean> {
    if (this.#open.size >= MOST_AT_ONCE) throw new Problem('too_many_waiting')
    const { promise, resolve: settle } = Promise.withResolvers<'shown' | 'silent' | 'stopped'>()
    const timer = setTimeout(settle, this.#withinMs, 'silent')
    const stop = () => settle('stopped')
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    this.#open.set(id, { pageId, settle })
    const outcome = await promise
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    this.#open.delete(id)
    if (outcome === 'stopped') throw new Problem('shutting_down')
    return outcome === 'shown'
  }

  /**
   * A page says that a widget is there. What it was asked for before is answered too: a page that had to load the widget
   * for somebody else meanwhile never says the older id.
   */
  note(id: string, pageId: string | undefined): void {
    if (this.#open.get(id)?.pageId !== pageId || pageId === undefined) return
    for (const [each, showing] of this.#open) {
      if (showing.pageId === pageId) showing.settle('shown')
      if (each === id) return
    }
  }

  stop(): void {
    for (const { settle } of this.#open.values()) settle('stopped')
  }
}
