import type { Tracing } from '@patchbay/kernel/tracing'

export interface ValueTraces {
  /** Does what a device's message is for. */
  take(work: () => void): void
  /** That what is being taken will be stored. */
  note(): void
  /** Stores what was noted since the last time, with whatever else came. */
  store(work: () => Promise<unknown>): Promise<void>
}

/** Devices say thousands of things a second. */
const VALUES = { of: 'device values', perSecond: 2 }
const STORING = { of: 'storing of device values', perSecond: 2 }
const MOST_NOTED = 32

/** Some values, from their message to the pages that show them, and linked from what stores a second of all of them. */
export function createValueTraces(tracing: Tracing | undefined): ValueTraces {
  const noted: string[] = []
  return {
    take(work) {
      if (tracing === undefined) return work()
      const attributes = { 'messaging.system': 'mqtt' }
      const span = tracing.begin({ name: 'device value', kind: 'consumer', attributes, limit: VALUES })
      tracing.within(span, work)
      span?.end()
    },
    note() {
      const traceparent = tracing?.current?.traceparent
      if (traceparent !== undefined && noted.length < MOST_NOTED) noted.push(traceparent)
    },
    async store(work) {
      const links = noted.splice(0)
      const begin = () =>
        tracing?.begin({ name: 'store device values', kind: 'consumer', links, limit: STORING })
      const span = links.length === 0 ? undefined : begin()
      try {
        await (tracing === undefined ? work() : tracing.within(span, work))
        span?.end()
      } catch (error) {
        span?.end('not_stored')
        throw error
      }
    },
  }
}
