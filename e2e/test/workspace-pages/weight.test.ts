import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { signIn } from '../identity-pages/people.ts'
import { useWorkspaces } from './workspace.ts'

const bench = useWorkspaces()

/** What came over the wire from now on, with the headers of the answers, until nothing more comes. */
async function weigh(page: Page, visit: () => Promise<void>): Promise<{ bytes: number; requests: string[] }> {
  const devtools = await page.context().newCDPSession(page)
  const requests: string[] = []
  let bytes = 0
  devtools.on('Network.responseReceived', ({ response }) => {
    if (response.url.startsWith('http')) requests.push(new URL(response.url).pathname)
  })
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await devtools.send('Network.enable')
  await visit()
  await page.waitForLoadState('networkidle')
  return { bytes, requests }
}

const KIB = 1_024

test.each([
  { name: 'home', path: '/', kib: 160 },
  { name: 'the packages', path: '/packages', kib: 200 },
])('[W-52] F14: a first visit to $name takes $kib KiB at most', async ({ path, kib }) => {
  await using visit = await bench.visit()
  const { page } = visit
  const { bytes, requests } = await weigh(page, async () => {
    await page.goto(bench.site.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
  })
  expect(bytes / KIB).toBeLessThanOrEqual(kib)
  expect(requests.slice(15)).toEqual([])
})

deepTest('[W-52] F14: a first visit to a workspace takes 300 KiB at most', async () => {
  const workspace = await bench.make()
  await using visit = await bench.visit()
  const { page } = visit
  await signIn(bench.site, page, workspace.owner)
  const { bytes, requests } = await weigh(page, async () => {
    await page.goto(bench.site.url + workspace.path)
    await page.getByRole('banner').getByText('Connected', { exact: true }).waitFor({ state: 'attached' })
  })
  expect(bytes / KIB).toBeLessThanOrEqual(300)
  expect(requests.slice(15)).toEqual([])
})
