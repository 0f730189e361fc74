import type { PanelHandlers } from '../panel-definition.ts'

export interface Offers {
  add(tabId: string, handlers: PanelHandlers): () => void
  /** What a panel offers, also if it is still being loaded; undefined when nothing came in time. */
  find(tabId: string, waitMs: number): Promise<PanelHandlers | undefined>
}

/** What mounted panels can be asked for. */
export function createOffers(): Offers {
  const offers = new Map<string, PanelHandlers>()
  const waiting = new Set<() => void>()
  return {
    add(tabId, handlers) {
      offers.set(tabId, handlers)
      for (const look of waiting) look()
      return () => {
        if (offers.get(tabId) === handlers) offers.delete(tabId)
      }
    },
    async find(tabId, waitMs) {
      const known = offers.get(tabId)
      if (known !== undefined) return known
      const { promise, resolve } = Promise.withResolvers<void>()
      const look = () => {
        if (offers.has(tabId)) resolve()
      }
      waiting.add(look)
      const timer = setTimeout(resolve, waitMs)
      await promise
      clearTimeout(timer)
      waiting.delete(look)
      return offers.get(tabId)
    },
  }
}
