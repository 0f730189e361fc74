import type { WatchedPage } from '@patchbay/testkit/chromium'

/** The same page, whose browser may complain of one thing, or not. */
export function tolerating<Visit extends WatchedPage>(visit: Visit, tolerated: RegExp): Visit {
  return {
    ...visit,
    async [Symbol.asyncDispose]() {
      await visit.page.context().close()
      const faults = visit.faults().filter((fault) => !tolerated.test(fault))
      if (faults.length > 0) throw new Error(`the page had faults:\n- ${faults.join('\n- ')}`)
    },
  }
}
