import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CLI, createUser } from '@patchbay/cli/test/user'
import { DOCS_CSP } from '@patchbay/contracts/core'
import { openPage, sharedChromium } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { withCompiledCode } from '@patchbay/testkit/processes'
import { complaints } from '@patchbay/web/test/complaints'
import { beforeAll, describe, expect } from 'vitest'
import { signIn } from '../identity-pages/people.ts'
import { type Site, sharedSite, startSite } from '../identity-pages/site.ts'
import { makeAccount, openSession } from '../installation/accounts.ts'
import { createApiKey } from '../workspace-cli/api-key.ts'
import { type BuiltPage, buildSite, readPages } from './build-site.ts'

const DOCS = new URL('../../../docs/', import.meta.url)
const CALM = { reducedMotion: 'reduce' } as const
const PHONE = { width: 360, height: 740 }
const WIDE = { width: 1280, height: 900 }

let folder: string
let pages: readonly BuiltPage[]
let site: Site
beforeAll(async () => {
  folder = await buildSite()
  pages = await readPages(folder)
  site = await sharedSite()
})

describe('the pages as they were built', () => {
  test('[SITE-1] every guide is in the table of contents, and every document is a page', async () => {
    const contents = await readFile(new URL('README.md', DOCS), 'utf8')
    const addresses = new Set(pages.map(({ address }) => address))
    const files = (await readdir(DOCS, { recursive: true })).filter((name) =>
      /^(?:guides|reference|decisions|benchmarks|scale)\/.*\.md$/.test(name),
    )
    expect(files.filter((name) => name.startsWith('guides/') && !contents.includes(`(${name})`))).toEqual([])
    const addressOf = (name: string) => `/docs/${name.replace(/(?:\/README)?\.md$/, '')}/`
    expect(files.filter((name) => !addresses.has(addressOf(name)))).toEqual([])
    const first = pages.find(({ address }) => address === '/docs/')?.html ?? ''
    const headings = Array.from(contents.matchAll(/^## (.+)$/gm), ([, heading]) => heading)
    expect(headings.filter((heading) => !first.includes(`<h2>${heading}</h2>`))).toEqual([])
  })

  test('[SITE-2] no link leads nowhere', () => {
    const anchors = new Map(
      pages.map(({ address, html }) => [
        address,
        new Set(Array.from(html.matchAll(/\sid="([^"]+)"/g), ([, id]) => id)),
      ]),
    )
    const broken = pages.flatMap(({ address, html }) =>
      Array.from(html.matchAll(/\s(?:href|src)="([^"]*)"/g), ([, link = '']) => link)
        .filter((link) => !leadsSomewhere(address, link, anchors))
        .map((link) => `${address}: ${link}`),
    )
    expect([...new Set(broken)]).toEqual([])
    expect(pages.length).toBeGreaterThan(100)
  })

  test('[SITE-3] every operation has an example, and what can be refused leads to its explanation', () => {
    const reference = pages.filter(({ address }) => address.startsWith('/docs/reference/http/'))
    expect(reference.length).toBeGreaterThan(20)
    const text = reference.map(({ html }) => html).join('')
    const operations = text.match(/<p class="address">/g)?.length ?? 0
    expect(operations).toBeGreaterThan(150)
    expect(text.match(/data-language="sh"/g)?.length ?? 0).toBeGreaterThanOrEqual(operations)
    expect(text).toContain('/docs/reference/problems/#not_permitted')
  })
})

/** A link inside the site, to a page, a heading of it, or a file. What leads out of it is not asked. */
function leadsSomewhere(
  address: string,
  link: string,
  anchors: ReadonlyMap<string, ReadonlySet<string | undefined>>,
): boolean {
  const { origin, pathname, hash } = new URL(link, `http://site${address}`)
  if (origin !== 'http://site') return true
  // Parts of the product beside the site.
  if (!pathname.startsWith('/docs/'))
    return ['/', '/openapi.json', '/reference', '/packages'].includes(pathname)
  const ids = anchors.get(pathname)
  if (ids === undefined) return hash === '' && existsSync(join(folder, pathname.slice('/docs/'.length)))
  return hash === '' || ids.has(decodeURIComponent(hash.slice(1)))
}

describe('at the server', () => {
  test('[SITE-4] pages are asked about each time, what is named by its content never again', async () => {
    const page = await fetch(`${site.url}/docs/guides/plot-a-value/`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.headers.get('content-security-policy')).toBe(DOCS_CSP)
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.headers.get('cache-control')).toBe('no-cache')
    expect(page.headers.get('content-encoding')).not.toBeNull()
    const script = /\/docs\/_scripts\/[0-9a-f]+\.js/.exec(await page.text())?.[0] ?? ''
    const answer = await fetch(site.url + script)
    expect(answer.headers.get('cache-control')).toContain('immutable')
  })

  test.each([
    ['/docs', '/docs/'],
    ['/docs/guides/plot-a-value', '/docs/guides/plot-a-value/'],
  ])('[SITE-4] %s leads on', async (from, to) => {
    const answer = await fetch(site.url + from, { redirect: 'manual' })
    expect(answer.status).toBe(308)
    expect(answer.headers.get('location')).toBe(to)
  })

  test.each([
    '/docs/nothing',
    '/docs/%2e%2e/site.hash',
    '/docs/..%2fsite.hash',
    '/docs/index.html.br',
    '//docs/',
  ])('[SITE-4] %s is not there', async (path) => {
    const answer = await fetch(site.url + path)
    expect(answer.status).toBe(404)
  })
})

const LOOKED_AT = [
  '',
  'guides/look-at-a-board/',
  'reference/http/files/',
  'reference/problems/',
  'troubleshooting/',
]

deepTest.each(LOOKED_AT)(
  '[SITE-5] /docs/%s keeps its policy, passes the checker and fits a phone',
  async (path) => {
    await using visit = await openPage(await sharedChromium(), { ...CALM, colorScheme: 'light' })
    const { page } = visit
    await page.setViewportSize(WIDE)
    await page.goto(`${site.url}/docs/${path}`)
    expect(await complaints(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    expect(await complaints(page, { contrastOnly: true })).toEqual([])
    await page.setViewportSize(PHONE)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
    expect(visit.faults()).toEqual([])
  },
)

test('[SITE-5] a theme that is chosen here is that of the web app too', async () => {
  await using visit = await openPage(await sharedChromium(), { ...CALM, colorScheme: 'light' })
  const { page } = visit
  await page.goto(`${site.url}/docs/`)
  await page.getByLabel('Theme').first().selectOption('dark')
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  await page.goto(`${site.url}/`)
  await page.getByRole('button', { name: 'Theme: Dark' }).waitFor()
  await page.goto(`${site.url}/docs/glossary/`)
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  expect(visit.faults()).toEqual([])
})

test('[SITE-6] the search finds a guide by what it is about', async () => {
  await using visit = await openPage(await sharedChromium(), CALM)
  const { page } = visit
  await page.goto(`${site.url}/docs/`)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('textbox', { name: 'Search' }).fill('emergency stop')
  const found = page.getByRole('dialog').getByRole('link', { name: 'Your first device' })
  await found.first().click({ timeout: 30_000 })
  await page.waitForURL(/\/docs\/guides\/your-first-device\//)
  expect(visit.faults()).toEqual([])
})

const soon = { timeout: 30_000 }
/** What somebody is told to type before there is a server: the first run of the command is tested with the packages themselves. */
const BEFORE_THE_SERVER = /npm install --global @patchbay\/cli\npatchbay dev\n/
/** Approving is a person's part; here a key is the login. */
const LOGIN = /^patchbay login/

test('[SITE-7] from the first page of the documentation to a value of a script of one’s own in a plot, by its words', async () => {
  await using own = await startSite({ environment: { PATCHBAY_MQTT_PORT: '0' } })
  const ada = await makeAccount(own, 'ada')
  const apiKey = await createApiKey(own.url, await openSession(own, ada), ['panels:ada/*'])
  await using shell = await createUser({ PATCHBAY_SERVER_URL: own.url, PATCHBAY_API_KEY: apiKey })
  await mkdir(shell.at('bin'))
  const command = `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`
  await writeFile(shell.at('bin', 'patchbay'), command, { mode: 0o755 })
  await using visit = await openPage(await sharedChromium(), { reducedMotion: 'reduce' })
  const { page } = visit
  await signIn(own, page, ada)

  const began = performance.now()
  await page.goto(`${own.url}/docs/`)
  await page.getByRole('main').getByRole('link', { name: 'Plot a value of your own' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Plot a value of your own' }).waitFor()
  const blocks = await page.locator('pre[data-language]').evaluateAll((all) =>
    all.map((block) => ({
      language: block.getAttribute('data-language') ?? '',
      text: [...block.querySelectorAll('.ec-line')]
        .map((line) => (line.textContent ?? '').replace(/\n$/, ''))
        .join('\n'),
    })),
  )
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')
  expect(readme).toMatch(BEFORE_THE_SERVER)
  const [install, login, prepare, program, run, ...others] = blocks
  expect(`${install?.text}\n`).toMatch(BEFORE_THE_SERVER)
  expect(login?.text).toMatch(LOGIN)
  expect(program?.language).toBe('python')
  expect(others).toEqual([])

  const type = (text: string) =>
    spawn('bash', ['-euc', text], {
      cwd: shell.home,
      env: withCompiledCode({
        PATCHBAY_SERVER_URL: own.url,
        PATCHBAY_API_KEY: apiKey,
        HOME: shell.home,
        PATH: `${shell.at('bin')}:${process.env['PATH'] ?? ''}`,
      }),
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  const [code] = (await once(type(prepare?.text ?? ''), 'exit')) as [number]
  expect(code).toBe(0)
  await writeFile(shell.at('measure.py'), (program?.text ?? '').replace('http://localhost:8790', own.url))
  const running = type(`exec ${run?.text}`)
  try {
    await page.goto(`${own.url}/workspaces/ada/bench`)
    await page.getByRole('banner').getByText('Connected', { exact: true }).waitFor({ state: 'attached' })
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox').fill('temperature graph')
    await page.getByRole('option', { name: /^Temperature graph/ }).click()
    await page.getByRole('button', { name: 'Use thermometer' }).click(soon)
    const line = page.getByRole('table', { name: /./ }).getByRole('row', { name: /temperature/i })
    await expect.poll(() => line.first().innerText(), soon).toMatch(/2[0-4]\.\d/)
  } finally {
    running.kill()
  }
  // What is left of the ten minutes that the guide promises is for reading and typing.
  expect(performance.now() - began).toBeLessThan(60_000)
  expect(visit.faults()).toEqual([])
}, 180_000)
