import { startOidcProvider } from '@patchbay/dev-identity-provider'
import { afterAll, expect, test } from 'vitest'
import { shows, useBench } from '../identity-pages/bench.ts'
import { packArchive } from './archives.ts'

const ci = await startOidcProvider()
afterAll(async () => {
  await ci[Symbol.asyncDispose]()
})
const bench = useBench({
  environment: {
    PATCHBAY_CI_ISSUERS: JSON.stringify([
      { id: 'ci', name: 'Example CI', issuer: ci.issuer, kind: 'github' },
    ]),
  },
})

test('[W-240][W-241] a trusted publisher is added, its job publishes, the package names it, and it is removed', async () => {
  await using visit = await bench.visitAs()
  const { page, account } = visit
  const identifier = `com.example.${account.handle.replaceAll('-', '.n')}`
  await page.goto(`${bench.site.url}/publishers/${account.handle}`)
  const section = page.getByRole('region', { name: 'Trusted publishers' })
  expect(await shows(section.getByText('No trusted publishers yet.'))).toBe(true)
  await section.getByRole('button', { name: 'Add' }).click()
  const dialog = page.getByRole('dialog')
  const add = dialog.getByRole('button', { name: 'Add it' })
  await dialog.getByRole('textbox', { name: 'Package identifier' }).fill(identifier)
  await dialog.getByRole('textbox', { name: 'Repository' }).fill('acme')
  expect(await add.isDisabled()).toBe(true)
  await dialog.getByRole('textbox', { name: 'Repository' }).fill('acme/blinky')
  await dialog.getByRole('button', { name: /Publish from$/ }).click()
  await page.getByRole('option', { name: 'A tag' }).click()
  await dialog.getByRole('textbox', { name: 'Workflow file' }).fill('.github/workflows/release.yml')
  await add.click()
  const entry = section.getByRole('list', { name: /^Trusted publishers of/ }).locator(':scope > li')
  expect(await entry.innerText()).toMatch(
    /acme\/blinky[\s\S]*Example CI[\s\S]*Publishes com[\s\S]*Tag v\*[\s\S]*Workflow \.github[\s\S]*Never used/,
  )

  const token = await ci.signJobToken(bench.site.url, {
    sub: 'job',
    repository: 'acme/blinky',
    repository_id: '1',
    ref: 'refs/tags/v1.0.0',
    sha: 'c0ffee1'.padEnd(40, '0'),
    workflow_ref: 'acme/blinky/.github/workflows/release.yml@refs/tags/v1.0.0',
    event_name: 'push',
    run_id: '7',
  })
  const exchanged = await fetch(`${bench.site.url}/auth/trusted-publishers/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, owner: account.handle, identifier }),
  })
  const { key } = (await exchanged.json()) as { key: string }
  const published = await fetch(`${bench.site.url}/registry/owners/${account.handle}/packages`, {
    method: 'POST',
    headers: { 'content-type': 'application/zip', 'x-api-key': key },
    body: await packArchive({ identifier }),
  })
  expect(published.status).toBe(201)
  await page.goto(`${bench.site.url}/packages/${identifier}`)
  expect(await shows(page.getByText('Built on Example CI from'))).toBe(true)
  const run = page.getByRole('link', { name: 'acme/blinky' })
  expect(await run.getAttribute('href')).toBe(`${ci.issuer}/acme/blinky/actions/runs/7`)

  await page.goto(`${bench.site.url}/publishers/${account.handle}`)
  expect(await shows(entry.getByText('Last used'))).toBe(true)
  await entry.getByRole('button', { name: 'Remove acme/blinky' }).click()
  await page.getByRole('button', { name: 'Remove it', exact: true }).click()
  expect(await shows(section.getByText('No trusted publishers yet.'))).toBe(true)
})
