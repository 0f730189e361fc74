import { type Browser, openPage, startChromium, type WatchedPage } from '@patchbay/testkit/chromium'
import { withFreePort } from '@patchbay/testkit/ports'

/** A page of a browser that gets and loses the focus as a person moves between its tabs. */
export interface FocusBrowser extends AsyncDisposable {
  readonly newPage: () => Promise<WatchedPage>
  /** Another tab comes to the front, and the page is hidden. */
  turnAway(): Promise<void>
  turnBack(): Promise<void>
}

/** The driver has all its pages believe that they have the focus. One that it finds in a running browser is left alone. */
export async function startFocusBrowser(userAgent: string): Promise<FocusBrowser> {
  await using cleanup = new AsyncDisposableStack()
  const context = await withFreePort(async (port) => {
    const args = [`--remote-debugging-port=${port}`, `--user-agent=${userAgent}`, '--window-size=1000,700']
    const browser = await startChromium({ isWhole: true, args })
    cleanup.defer(() => browser.close())
    const found = await browser.browserType().connectOverCDP(`http://127.0.0.1:${port}`, { noDefaults: true })
    cleanup.defer(() => found.close())
    const [first] = found.contexts()
    if (first === undefined) throw new Error('the browser has no profile')
    return first
  })
  const page = await context.newPage()
  const owned = cleanup.move()
  return {
    newPage: () =>
      Promise.resolve({
        page,
        faults: () => [],
        assertNoFaults: () => undefined,
        [Symbol.asyncDispose]: () => page.close(),
      }),
    async turnAway() {
      const another = await context.newPage()
      await another.bringToFront()
    },
    turnBack: () => page.bringToFront(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** A browser that is ended as a crash ends it. */
export interface DoomedBrowser extends AsyncDisposable {
  readonly newPage: (userAgent: string) => Promise<WatchedPage>
  kill(): Promise<void>
}

export async function startDoomedBrowser(): Promise<DoomedBrowser> {
  const browser = await startChromium()
  return {
    async newPage(userAgent) {
      const { page, ...watched } = await openPage(browser, { userAgent })
      return { ...watched, page, [Symbol.asyncDispose]: () => Promise.resolve() }
    },
    async kill() {
      // All of them: those that are left run on for a moment, and take what comes meanwhile.
      for (const pid of await pidsOf(browser)) process.kill(pid, 'SIGKILL')
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

/** Those of its pages first. */
async function pidsOf(browser: Browser): Promise<number[]> {
  const devtools = await browser.newBrowserCDPSession()
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
  if (!processInfo.some(({ type }) => type === 'browser'))
    throw new Error('the browser does not say which process it is')
  return [
    ...processInfo.filter(({ type }) => type !== 'browser'),
    ...processInfo.filter(({ type }) => type === 'browser'),
  ].map(({ id }) => id)
}
