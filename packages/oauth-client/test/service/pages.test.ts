import { expect, test } from 'vitest'
import { askPage, messagePage, PAGE_HEADERS } from '../../src/service/pages.ts'

const hostile = '"><script>alert(1)</script>\'&'

test('[B-461] text is shown as text', () => {
  for (const page of [messagePage(hostile, hostile), askPage(hostile, `/x/${hostile}`)]) {
    expect(page).not.toContain('<script')
    expect(page).toContain('&quot;&gt;&lt;script&gt;')
  }
})

test('[B-461] the page that asks links to where it was asked, also behind a prefix that a proxy takes off', () => {
  expect(askPage('github', '/connect/auth')).toContain('href="./auth"')
})

test('[B-461] nothing runs, loads, frames or stores it', () => {
  expect(PAGE_HEADERS['content-security-policy']).toContain("default-src 'none'")
  expect(PAGE_HEADERS['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(PAGE_HEADERS['cache-control']).toBe('no-store')
})
