import { expect, test } from 'vitest'
import { heading, shows } from '../identity-pages/bench.ts'
import { useWorkspaces } from './workspace.ts'

const bench = useWorkspaces()

test('[W-245][W-246] somebody without a workspace opens the sample in one press, and finds it again at home', async () => {
  await using visit = await bench.visitAs()
  const { page, account } = visit
  await page.goto(`${bench.site.url}/`)
  expect(await shows(heading(page, `Welcome, ${account.handle.replace('ada-', 'Ada ')}`))).toBe(true)
  expect(await shows(page.getByText('0 of 5 done'))).toBe(true)
  await page.getByRole('button', { name: 'Open the sample workspace' }).click()
  await page.waitForURL(`${bench.site.url}/workspaces/${account.handle}/night-lamp`)
  expect(await shows(page.getByRole('tab', { name: /Schematic editor/ }))).toBe(true)
  expect(await shows(page.getByText('night-lamp.kicad_sch'))).toBe(true)

  await page.goto(`${bench.site.url}/`)
  const recent = page.getByRole('list', { name: 'Recent workspaces' })
  expect(await shows(recent.getByRole('link', { name: /night-lamp$/ }))).toBe(true)
  expect(await shows(page.getByText('1 of 5 done'))).toBe(true)
  const steps = page.getByRole('list', { name: 'Get started' })
  expect(await steps.getByLabel('Done', { exact: true }).count()).toBe(1)
  await page.getByRole('button', { name: 'Hide' }).click()
  expect(await steps.count()).toBe(0)
  await page.reload()
  await recent.waitFor()
  expect(await steps.count()).toBe(0)
})

test('[W-247] strangers are told what Patchbay is', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(`${bench.site.url}/`)
  expect(await shows(heading(page, 'Plug your tools into the hardware workspace'))).toBe(true)
  expect(await page.getByText('Welcome,').count()).toBe(0)
})
