import type { Page } from '@patchbay/testkit/chromium'

/** A line between the page and the server that can be cut. Everything on it goes through unchanged. */
export async function cuttable(page: Page, path: RegExp) {
  const open = new Set<() => Promise<void>>()
  let isCut = false
  let tries = 0
  await page.routeWebSocket(path, async (line) => {
    tries += 1
    if (isCut) return await line.close({ code: 4001 })
    const server = line.connectToServer()
    open.add(async () => {
      await line.close({ code: 4001 })
      await server.close({ code: 1000 })
    })
  })
  return {
    tries: () => tries,
    async cut() {
      isCut = true
      for (const close of open) await close()
      open.clear()
    },
    mend() {
      isCut = false
    },
  }
}
