import { createHash } from 'node:crypto'
import { CALLBACK_OUTCOMES } from '@patchbay/contracts/gateway'
import { expect, test } from 'vitest'
import { confirmPage } from '../../src/pages/confirm-page.ts'
import { MALFORMATIONS, malformedPage } from '../../src/pages/malformed-page.ts'
import { CONFIRM_PAGE_HEADERS, PAGE_RESPONSE_HEADERS } from '../../src/pages/page-headers.ts'
import { resultPage } from '../../src/pages/result-page.ts'
import { PAGES, QUESTION } from './served-pages.ts'

const ALL = [...PAGES.entries()]

test.each(ALL)('[B-200] %s runs nothing and loads nothing', (_, page) => {
  expect(page).not.toMatch(
    /<(?:script|link|img|image|iframe|object|embed|use|base|meta http)|\s(?:on\w+|style|src|href)=|url\(|@import|\/\/|javascript:/i,
  )
})

test.each(ALL)('[B-202] the policy names the one style of %s', (_, page) => {
  const styles = Array.from(page.matchAll(/<style>([^]*?)<\/style>/g), ([, style = '']) => style)
  expect(styles).toHaveLength(1)
  const hash = createHash('sha256').update(styles.join('')).digest('base64')
  for (const headers of [PAGE_RESPONSE_HEADERS, CONFIRM_PAGE_HEADERS])
    expect(headers['content-security-policy']).toContain(`default-src 'none'; style-src 'sha256-${hash}';`)
})

test('[B-202] no page is framed, cached, or named to another site', () => {
  for (const headers of [PAGE_RESPONSE_HEADERS, CONFIRM_PAGE_HEADERS]) {
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(/base-uri 'none'; frame-ancestors 'none'$/),
      'content-type': 'text/html; charset=utf-8',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
  }
})

test('[B-203] only the page that asks may send a form', () => {
  expect(PAGE_RESPONSE_HEADERS['content-security-policy']).toContain("; form-action 'none';")
  expect(CONFIRM_PAGE_HEADERS['content-security-policy']).toContain("; form-action 'self';")
  expect(ALL.filter(([, page]) => page.includes('<form'))).toHaveLength(1)
})

test('[B-204] each page has a title of its own, and its heading says the same', () => {
  const titles = CALLBACK_OUTCOMES.map((outcome) => {
    const page = resultPage(outcome)
    const title = /<title>(.+) · Patchbay<\/title>/.exec(page)?.[1]
    expect(page.match(/<h1>.*<\/h1>/g)).toEqual([`<h1>${title}</h1>`])
    return title
  })
  expect(new Set(titles).size).toBe(CALLBACK_OUTCOMES.length)
})

test.each(ALL)('[B-208] %s is small', (_, page) => {
  expect(Buffer.byteLength(page)).toBeLessThan(6_000)
})

test('[B-208] so is the page that asks with the longest names, all of them escaped', () => {
  const page = confirmPage({ ...QUESTION, provider: '"'.repeat(200), label: '&'.repeat(200) })
  expect(Buffer.byteLength(page)).toBeLessThan(6_000)
})

test.each(CALLBACK_OUTCOMES)('[B-210] “%s” says what happened and what to do now', (outcome) => {
  const page = resultPage(outcome)
  expect(page).toMatch(/<\/h1>\s*<p>[^<]{40,}<\/p>/)
  expect(page).toMatch(/<h2>What to do now<\/h2>\s*<p>[^<]{20,}<\/p>/)
  expect(page).not.toMatch(
    /\b(?:OAuth|state|token|WebSocket|Redis|parameter|callback|client|redirect|4\d\d|5\d\d)\b/,
  )
})

test('[B-210] where to go is said wherever there is something to do', () => {
  expect(resultPage('done')).toContain('You can close this window and go back to your application.')
  for (const outcome of CALLBACK_OUTCOMES.filter((one) => one !== 'done'))
    expect(resultPage(outcome)).toMatch(/start again/i)
})

test('[B-211] access that was not granted has two reasons, and something to do about each', () => {
  const page = resultPage('access-denied')
  expect(page).toContain('<li>You declined.</li>')
  expect(page).toMatch(/<li>The application is still in testing .* not on its list of test users\.<\/li>/)
  expect(page).toMatch(/start again .* and allow access/)
  expect(page).toMatch(/ask the developer .* to add your account/)
})

test('[B-212] what is not known is not claimed', () => {
  expect(resultPage('client-silent')).toContain('it may have finished after all')
  for (const outcome of ['client-silent', 'gateway-unavailable'] as const)
    expect(resultPage(outcome)).not.toMatch(/nothing was passed on|nobody received/i)
  for (const outcome of ['declined', 'unknown-state', 'client-gone'] as const)
    expect(resultPage(outcome)).toMatch(/nothing was passed on|nobody received/i)
})

test('[B-213] each reason why an answer cannot be used has its own words', () => {
  const pages = MALFORMATIONS.map(malformedPage)
  expect(new Set(pages).size).toBe(MALFORMATIONS.length)
  for (const page of pages) expect(page).toMatch(/Nothing was passed on\.[^]*Start again/)
})

test('[B-220] an application without a name, and one that names no provider, are called that', () => {
  const page = confirmPage({ ...QUESTION, label: undefined, provider: '\u200b' })
  expect(page).toContain('<dd>An application that gave no name</dd>')
  expect(page).toContain('<dd>A provider that it did not name</dd>')
})

test('[B-231] 100 code points of a name are shown, of 101 the first 99', () => {
  const labeled = (label: string) => confirmPage({ ...QUESTION, label })
  expect(labeled('🎛'.repeat(100))).toContain(`<bdi>${'🎛'.repeat(100)}</bdi>`)
  expect(labeled('🎛'.repeat(101))).toContain(`<bdi>${'🎛'.repeat(99)}…</bdi>`)
})

test('[B-231] of a name that hides something the rest is shown, and of one that shows nothing that it is none', () => {
  expect(confirmPage({ ...QUESTION, label: 'Bo\u202eard\n\u200bStudio' })).toContain(
    '<bdi>Board Studio</bdi>',
  )
  const unnamed = confirmPage({ ...QUESTION, label: undefined })
  expect(confirmPage({ ...QUESTION, label: '\u200b\u3164' })).toBe(unnamed)
})
