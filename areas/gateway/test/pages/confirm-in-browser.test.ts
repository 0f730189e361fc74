import { type Browser, openPage, type Page, sharedChromium } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { beforeAll, expect } from 'vitest'
import { confirmPage, type Question } from '../../src/pages/confirm-page.ts'
import { overflowing } from './seen-page.ts'
import { CONFIRM_PATH, PAGES, QUESTION, servePages } from './served-pages.ts'

let browser: Browser
beforeAll(async () => {
  browser = await sharedChromium()
})

const NARROW = { width: 320, height: 640 }

/** Serves the question, opens it, and hands it to the test. */
async function ask(question: Partial<Question>, look: (page: Page) => Promise<void>): Promise<void> {
  await using site = await servePages(new Map([[CONFIRM_PATH, confirmPage({ ...QUESTION, ...question })]]))
  await using watched = await openPage(browser, { viewport: NARROW })
  await watched.page.goto(site.url + CONFIRM_PATH)
  await look(watched.page)
}

deepTest(
  '[B-220] the page shows what the application calls itself and where it says it connects to',
  async () => {
    await ask({}, async (page) => {
      expect(await page.locator('dl > div').allInnerTexts()).toEqual([
        'The application calls itself\nBoard Studio on lab-bench-7',
        'It says it connects you to\nGitHub',
      ])
      expect(await page.getByText('Nobody checked them.').isVisible()).toBe(true)
      expect(await page.title()).toBe('Connect this application? · Patchbay')
    })
  },
)

test('[B-221] the phrase stands out, and the page says what to do with it', async () => {
  await ask({}, async (page) => {
    const sizeOf = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((all) =>
          Math.max(...all.map((element) => Number.parseFloat(getComputedStyle(element).fontSize))),
        )
    expect(await page.locator('.phrase').innerText()).toBe(
      'Your application shows the same three words:\n\norbit eclipse bamboo',
    )
    expect(await sizeOf('.phrase strong')).toBeGreaterThan(await sizeOf('p, dt, dd, button'))
    for (const advice of [
      'Only continue if you started this yourself, just now.',
      'Decline if somebody sent you a link, or if the words differ.',
    ])
      expect(await page.getByText(advice).isVisible()).toBe(true)
  })
})

test('[B-222] both buttons look alike, and neither is chosen', async () => {
  await ask({}, async (page) => {
    for (const viewport of [NARROW, { width: 1280, height: 800 }]) {
      await page.setViewportSize(viewport)
      const buttons = await page.getByRole('button').evaluateAll((all) =>
        all.map((button) => {
          const { width, height, top } = button.getBoundingClientRect()
          const { color, backgroundColor, border, boxShadow, font } = getComputedStyle(button)
          return {
            width,
            height,
            top,
            color,
            backgroundColor,
            border,
            boxShadow,
            font,
            class: button.className,
          }
        }),
      )
      expect(buttons).toHaveLength(2)
      expect(buttons[0]).toEqual(buttons[1])
      expect(buttons[0]?.height).toBeGreaterThanOrEqual(44)
    }
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
    expect(await page.locator('[autofocus]').count()).toBe(0)
  })
})

deepTest.each([
  ['Connect', 'deliver'],
  ['Decline', 'decline'],
])('[B-223] %s sends “%s” to the flow’s own address', async (name, decision) => {
  await using site = await servePages(PAGES, '/below')
  await using watched = await openPage(browser)
  await watched.page.goto(site.url + CONFIRM_PATH)
  await watched.page.getByRole('button', { name }).click()
  await watched.page.getByRole('heading', { name: 'Connected' }).waitFor()
  expect(site.sent).toMatchObject([
    { path: `/below${CONFIRM_PATH}`, body: `nonce=bm9uY2U&decision=${decision}` },
  ])
  expect(await watched.page.locator('form').count()).toBe(0)
})

test('[B-223] a browser does not refill the form', () => {
  expect(confirmPage(QUESTION)).toContain('autocomplete="off"')
})

test('[B-203] the form carries the nonce, for the browser names no origin', async () => {
  await using site = await servePages()
  await using watched = await openPage(browser)
  await watched.page.goto(site.url + CONFIRM_PATH)
  await watched.page.getByRole('button', { name: 'Connect' }).click()
  await watched.page.getByRole('heading', { name: 'Connected' }).waitFor()
  expect(site.sent.map(({ origin, body }) => [origin, body.includes(`nonce=${QUESTION.nonce}`)])).toEqual([
    ['null', true],
  ])
})

test('[B-203] and goes nowhere else', async () => {
  await using site = await servePages()
  await using elsewhere = await servePages()
  await using watched = await openPage(browser, {
    expectedFaults: [/CSP violation: form-action/, /form-action/],
  })
  const { page } = watched
  await page.goto(site.url + CONFIRM_PATH)
  await page.locator('form').evaluate((form, action) => form.setAttribute('action', action), elsewhere.url)
  const refused = page.waitForEvent('console', (message) =>
    message.text().includes('CSP violation: form-action'),
  )
  // A click would wait for the navigation that must not come.
  await page.getByRole('button', { name: 'Connect' }).focus()
  await page.keyboard.press('Enter')
  await refused
  expect([...site.sent, ...elsewhere.sent]).toEqual([])
})

const SHOWN_AS_THEY_ARE = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '</bdi></dd></dl></main></body><form action=https://evil.example><button>Connect',
  `"'\` onfocus="alert(1)" autofocus='`,
  '&lt;b&gt;&#60;b&#62;',
  '🎛🔌🐙',
  'W'.repeat(100),
  'מעבדת לוחות 7 (GitHub)',
].map((text) => ({ text, shown: text }))

const TIDIED = [
  { text: 'Board\n\nStudio', shown: 'Board Studio' },
  { text: '\u202eoidutS draoB', shown: 'oidutS draoB' },
  { text: 'W'.repeat(400), shown: `${'W'.repeat(99)}…` },
]

test('[B-224] whatever is in a name, it is shown as text and nothing else changes', async () => {
  const names = [...SHOWN_AS_THEY_ARE, ...TIDIED]
  const pages = names.map(
    ({ text }, index) => [`${index}`, confirmPage({ ...QUESTION, provider: text, label: text })] as const,
  )
  await using site = await servePages(new Map(pages.map(([key, page]) => [`/callback/confirm/${key}`, page])))
  await using watched = await openPage(browser, { viewport: NARROW })
  for (const [index, { shown }] of names.entries()) {
    await watched.page.goto(`${site.url}/callback/confirm/${index}`)
    expect(await watched.page.locator('bdi').allTextContents()).toEqual([shown, shown])
    expect(await watched.page.locator('button').allTextContents()).toEqual(['Decline', 'Connect'])
    expect(await watched.page.locator('script, img').count()).toBe(0)
    expect(await watched.page.evaluate(overflowing)).toEqual([])
  }
})

deepTest('[B-224] a name that runs from right to left leaves the rest where it was', async () => {
  const places = (page: Page) =>
    page
      .locator('h1, dt, bdi, .note, .phrase, .care, button')
      .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().left))
  let usual: number[] = []
  await ask({}, async (page) => {
    usual = await places(page)
  })
  expect(usual).toHaveLength(10)
  await ask({ provider: 'גיטהאב', label: 'מעבדה' }, async (page) => {
    expect(await places(page)).toEqual(usual)
  })
})

deepTest('[B-232] stacked marks are not drawn over the text around a name', async () => {
  const around = async (page: Page) => [
    await page.locator('dt').first().screenshot(),
    await page.locator('dl > div').last().screenshot(),
  ]
  let usual: Buffer[] = []
  await ask({ label: 'xxx' }, async (page) => {
    usual = await around(page)
  })
  await ask({ label: `x${'\u0332\u0301'.repeat(40)}`.repeat(3) }, async (page) => {
    expect(await around(page)).toEqual(usual)
  })
})
