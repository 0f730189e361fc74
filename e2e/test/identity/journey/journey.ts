import { sharedChromium } from '@patchbay/testkit/chromium'
import { expect } from 'vitest'
import { preparedDatabase } from '../../installation/database.ts'
import { faultsOfHome, keptTokens } from './home-folder.ts'
import { leaksIn, leakyAddresses } from './leaks.ts'
import { startOneNode } from './one-node.ts'
import { openBrowser, type PersonBrowser } from './person-browser.ts'
import type { Environment, Site } from './site.ts'
import { openTerminal, type Terminal } from './terminal.ts'
import { Trail } from './trail.ts'

/** An installation, and whoever comes to it with a browser or a terminal. */
export interface Journey extends AsyncDisposable {
  readonly site: Site
  readonly trail: Trail
  browser(): Promise<PersonBrowser>
  terminal(): Promise<Terminal>
  /** The end of every journey: no log, address or file holds a secret that it has seen. */
  expectNoTrace(): Promise<void>
}

/** At one server of its own. */
export async function startJourney(environment: Environment = {}): Promise<Journey> {
  await using cleanup = new AsyncDisposableStack()
  const database = cleanup.use(await preparedDatabase())
  const site = cleanup.use(await startOneNode(environment, database))
  const journey = cleanup.use(await journeyAt(site))
  const owned = cleanup.move()
  return { ...journey, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

export async function journeyAt(site: Site): Promise<Journey> {
  await using cleanup = new AsyncDisposableStack()
  const trail = new Trail()
  const browsers: PersonBrowser[] = []
  const terminals: Terminal[] = []
  const owned = cleanup.move()
  return {
    site,
    trail,
    async browser() {
      const browser = owned.use(await openBrowser(await sharedChromium(), site.url, trail))
      browsers.push(browser)
      return browser
    },
    async terminal() {
      const terminal = owned.use(await openTerminal(site.url))
      terminals.push(terminal)
      return terminal
    },
    async expectNoTrace() {
      const cookies = await Promise.all(browsers.map((browser) => browser.cookies()))
      const tokens = await Promise.all(terminals.map(({ home }) => keptTokens(home)))
      trail.see(...cookies.flat(), ...tokens.flat())
      const { secrets } = trail
      expect(secrets.size).toBeGreaterThan(0)
      expect(site.logs()).toContain('"route":"/auth/')
      const history = await Promise.all(browsers.map((browser) => browser.history()))
      const sessions = terminals.flatMap(
        (terminal) => terminal.output().match(/(?:tok|bro|pbk)_[\w-]+/g) ?? [],
      )
      const homes = await Promise.all(terminals.map(({ home }) => faultsOfHome(home, secrets)))
      expect({
        logs: leaksIn(site.logs(), secrets),
        history: leakyAddresses(history.flat(), site.url, secrets),
        addresses: leakyAddresses(trail.addresses(), site.url, secrets),
        printed: sessions,
        homes: homes.flat(),
      }).toEqual({ logs: [], history: [], addresses: [], printed: [], homes: [] })
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
