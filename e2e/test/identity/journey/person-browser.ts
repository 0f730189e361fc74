import { type Browser, openPage, type Page } from '@patchbay/testkit/chromium'
import type { SignedIn } from '../signed-in.ts'
import type { Trail } from './trail.ts'

/** The browser of one person, with an authenticator that agrees to everything. */
export interface PersonBrowser extends AsyncDisposable {
  readonly page: Page
  /** Opens a link that carries a secret. */
  open(link: string): Promise<void>
  /** Waits for the heading that says where the person is. */
  sees(heading: string): Promise<void>
  /** Waits until the person can decide about a request. */
  isAsked(): Promise<void>
  press(button: string): Promise<void>
  /** For journeys that are about something else than signing in. */
  signInAs(person: SignedIn): Promise<void>
  /** A line in the console that the journey provokes, such as the refusal of a request. */
  expectFault(pattern: RegExp): void
  /** The addresses that its back button leads to, and the present one. */
  history(): Promise<string[]>
  /** Values of the cookies that this installation has set. */
  cookies(): Promise<string[]>
}

export const QUESTION = 'Let an application act for you?'

/** What Chromium writes when a request is refused. */
export const refusal = (status: number) => new RegExp(`responded with a status of ${status}`)

export async function openBrowser(chromium: Browser, url: string, trail: Trail): Promise<PersonBrowser> {
  const expectedFaults: RegExp[] = []
  const watched = await openPage(chromium, { expectedFaults })
  const { page } = watched
  page.on('framenavigated', (frame) => trail.beenAt(frame.url()))
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    page,
    async open(link) {
      trail.seeLink(link)
      await page.goto(link)
    },
    sees: (heading) => page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor(),
    async isAsked() {
      await page.getByRole('heading', { level: 1, name: QUESTION }).waitFor()
      // The heading is there before the server has said who asks.
      await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
    },
    press: (button) => page.getByRole('button', { name: button, exact: true }).click(),
    async signInAs({ token, csrf }) {
      trail.see(token, csrf)
      // Chromium takes a `__Host-` cookie for https alone, and then sends it to http on localhost as well.
      const secureUrl = url.replace('http:', 'https:')
      await page
        .context()
        .addCookies([{ name: '__Host-patchbay-session', value: token, url: secureUrl, secure: true }])
    },
    expectFault: (pattern) => void expectedFaults.push(pattern),
    async history() {
      const { entries } = await devtools.send('Page.getNavigationHistory')
      return entries.map((entry) => entry.url)
    },
    async cookies() {
      const cookies = await page.context().cookies()
      return cookies.filter(({ name }) => name.includes('patchbay')).map(({ value }) => value)
    },
    [Symbol.asyncDispose]: () => watched[Symbol.asyncDispose](),
  }
}
