import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { complaints, overflowing, smallControls } from '@patchbay/web/test/complaints'
import { expect } from 'vitest'
import { type Account, makeAccount, newHandle } from '../installation/accounts.ts'
import { makeWorkspace } from '../workspace-pages/workspace.ts'
import { PHONE, useBench, WIDE } from './bench.ts'
import { furnish } from './furnish.ts'
import { changeIntent, endIntentIn, openIntent } from './intents.ts'
import { invite } from './invitations.ts'
import { signIn } from './people.ts'

const bench = useBench()
let furnished: Promise<Account> | undefined

interface Look {
  readonly name: string
  readonly isSignedIn: boolean
  open(page: Page): Promise<void>
  readonly faults?: readonly RegExp[]
  readonly within?: string
}

const LONG = 'A very long name that an application gave itself because nobody stopped it here'

const LOOKS: readonly Look[] = [
  {
    name: 'a request with every remark and warning',
    isSignedIn: true,
    open: async (page) => {
      const intent = await openIntent(bench.site, { label: LONG })
      await changeIntent(bench.site, intent, {
        is_watched_by_others: true,
        requested_network: '2001:db8:1234:5678:9abc:def0:1234:5678',
      })
      await page.goto(intent.auth_url)
      await page.getByText('Someone else may be watching').waitFor()
    },
  },
  {
    name: 'an approval that needs a sign-in',
    isSignedIn: false,
    open: async (page) => {
      await page.goto((await openIntent(bench.site)).auth_url)
      await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    },
  },
  {
    name: 'an invitation to a workspace',
    isSignedIn: false,
    open: async (page) => {
      const owner = await makeAccount(bench.site, newHandle())
      const workspace = await makeWorkspace(bench, owner, owner.handle, 'a-repository-with-a-long-name')
      const made = await workspace.callAsOwner('POST', ':workspace/invitations', { role: 'editor' })
      await page.goto((made as { url: string }).url)
      await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    },
  },
  {
    name: 'an expired link',
    isSignedIn: true,
    faults: [/410/],
    open: async (page) => {
      const intent = await openIntent(bench.site)
      await endIntentIn(bench.site, intent, -1000)
      await page.goto(intent.auth_url)
      await page.getByText('What to do').waitFor()
    },
  },
  {
    name: 'an approved request',
    isSignedIn: true,
    // React Aria announces a pending button in a place of its own, and keeps that for seven seconds.
    within: '#root',
    open: async (page) => {
      await page.goto((await openIntent(bench.site)).auth_url)
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByRole('heading', { name: 'Done' }).waitFor()
    },
  },
  {
    name: 'a failed sign-in',
    isSignedIn: false,
    open: async (page) => {
      await page.goto(`${bench.site.url}/sign-in?problem=sign_up_closed`)
      await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    },
  },
  {
    name: 'a sign-up with faults',
    isSignedIn: false,
    open: async (page) => {
      await page.goto(`${bench.site.url}/sign-up?with=passkey`)
      await page.getByRole('button', { name: 'Sign up with a passkey' }).click()
      await page.getByText('A handle is needed.').waitFor()
    },
  },
  {
    name: 'an invitation',
    isSignedIn: false,
    open: async (page) => {
      await page.goto(await invite(bench.site))
      await page.getByRole('button', { name: 'Continue with Acme' }).waitFor()
    },
  },
  {
    name: 'an account',
    isSignedIn: true,
    open: async (page) => {
      await page.goto(`${bench.site.url}/account`)
      for (const list of ['sessions', 'passkeys', 'API keys', 'organizations']) {
        await page.getByRole('list', { name: `Your ${list}` }).waitFor()
      }
    },
  },
  {
    name: 'the dialog for a key',
    isSignedIn: true,
    open: async (page) => {
      await page.goto(`${bench.site.url}/account`)
      await page.getByRole('button', { name: 'Create a key' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Add a scope' }).click()
    },
  },
  {
    name: 'the members of an organization',
    isSignedIn: true,
    open: async (page) => {
      await page.goto(`${bench.site.url}/account`)
      await page.getByRole('button', { name: /^Members of/ }).click()
      await page.getByRole('dialog').getByRole('textbox').waitFor()
    },
  },
  {
    name: 'the list of people',
    isSignedIn: true,
    open: async (page) => {
      await page.goto(`${bench.site.url}/account/people`)
      await page.getByRole('list', { name: 'Accounts' }).waitFor()
    },
  },
]

async function openLook(look: Look, colorScheme: 'light' | 'dark' = 'light') {
  const visit = await bench.visit({
    colorScheme,
    reducedMotion: 'reduce',
    hasTouch: true,
    expectedFaults: look.faults ?? [],
  })
  const { page } = visit
  furnished ??= furnish(bench.site)
  const account = await furnished
  if (look.isSignedIn) await signIn(bench.site, page, account)
  await look.open(page)
  return visit
}

async function expectToFit(page: Page, widths: readonly number[]): Promise<void> {
  expect(await page.evaluate(smallControls)).toEqual([])
  for (const width of widths) {
    await page.setViewportSize({ width, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    expect(await page.evaluate(overflowing)).toEqual([])
  }
}

/** The fullest of each kind, the themes and widths in turn. */
const CROSS_SECTION = new Set(['a request with every remark and warning', 'an account'])

test.each(LOOKS.filter(({ name }) => CROSS_SECTION.has(name)).map((look, index) => ({ ...look, index })))(
  '[W-155] $name: for everyone',
  async ({ index, ...look }) => {
    await using visit = await openLook(look, index % 2 === 0 ? 'light' : 'dark')
    const { page } = visit
    const { within = 'html' } = look
    if (index % 4 < 2) await page.setViewportSize(PHONE)
    expect(await complaints(page, { within })).toEqual([])
    await page.setViewportSize(PHONE)
    await expectToFit(page, [320])
  },
)

deepTest.each(LOOKS)('[W-155] $name: for everyone, in both themes, wide and narrow', async (look) => {
  await using visit = await openLook(look)
  const { page } = visit
  const { within = 'html' } = look
  for (const viewport of [WIDE, PHONE]) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await complaints(page, { within })).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await complaints(page, { within, contrastOnly: true })).toEqual([])
  }
  await expectToFit(page, [390, 320])
})
