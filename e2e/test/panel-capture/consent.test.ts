import type { Page } from '@patchbay/testkit/chromium'
import { expect, test } from 'vitest'
import { startCamera } from './camera.ts'
import { pictureOf } from './pixels.ts'
import { chooseSharing, isShared, monitor, startSharing, useCaptures } from './shared-page.ts'

const bench = useCaptures()
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Share for screenshots?' })

test('[J-60] F9: without sharing the person is told who asks and why, and the call answers 504 in time; after Share the same call succeeds', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('code-editor')
  const camera = await startCamera(bench, workspace, { name: 'Lamp camera' })
  expect(await camera.ask({ scope: 'panel', panelId })).toMatchObject({
    status: 409,
    body: { code: 'workspace_not_open' },
  })
  await using visit = await bench.open(workspace)
  const { page } = visit
  const request = { scope: 'panel', panelId, reason: 'to see whether the lamp is lit', timeoutMs: 8_000 }

  const begun = performance.now()
  const refused = await camera.ask(request)
  expect(performance.now() - begun).toBeLessThan(request.timeoutMs)
  expect(refused).toMatchObject({ status: 504, body: { code: 'sharing_not_enabled' } })
  expect(refused.headers.get('retry-after')).toBe('3')
  const dialog = dialogOf(page)
  await dialog.getByText('to see whether the lamp is lit').waitFor()
  expect(await dialog.innerText()).toContain(`Lamp camera of ${workspace.owner.handle} wants`)

  await dialog.getByRole('button', { name: 'Not now' }).click()
  await dialog.waitFor({ state: 'detached' })
  await isShared(page, 'off')
  const declined = await camera.ask(request)
  expect(declined).toMatchObject({ status: 504, body: { code: 'sharing_declined' } })
  expect(Number(declined.headers.get('retry-after'))).toBeGreaterThan(30)
  expect(await dialog.count()).toBe(0)

  const other = await startCamera(bench, workspace, { name: 'Second camera' })
  expect(await other.ask(request)).toMatchObject({ status: 504, body: { code: 'sharing_not_enabled' } })
  await dialog.getByRole('button', { name: 'Share' }).click()
  await dialog.waitFor({ state: 'detached' })
  await isShared(page, 'page')
  const taken = await camera.ask({ ...request, timeoutMs: 20_000 })
  expect(taken).toMatchObject({ status: 200, body: { scope: 'panel', panelId } })
})

test('[J-61] pictures asked for at once are all taken; one that the person stops sharing under has a clean answer', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('code-editor')
  const { panelId: beside } = await workspace.add('system-log', { panelId, direction: 'right' })
  const { root } = (await workspace.current()).layout
  await workspace.call('PATCH', `:workspace/current/splits/${root.id}`, { sizes: [1, 3] })
  const camera = await startCamera(bench, workspace)
  await using visit = await bench.openShared(workspace)
  const { page } = visit
  const widths = await Promise.all(
    [panelId, beside, panelId, beside].map(async (wanted) => {
      const { url } = await camera.take({ scope: 'panel', panelId: wanted })
      return pictureOf((await camera.fetch(url)).bytes).width
    }),
  )
  const [narrow = 0, wide = 0] = widths
  expect(wide).toBeGreaterThan(narrow * 2)
  expect(widths).toEqual([narrow, wide, narrow, wide])

  await stopUnderTheNextPicture(page)
  const begun = performance.now()
  const cut = await Promise.all([camera.ask({ scope: 'workspace' }), camera.ask({ scope: 'workspace' })])
  expect(performance.now() - begun).toBeLessThan(20_000)
  const answers = cut.map(({ status, body }) => `${status} ${(body as { code: string }).code}`)
  expect(answers.toSorted()).toEqual(['502 capture_failed', '504 sharing_not_enabled'])
  await dialogOf(page).getByRole('button', { name: 'Share' }).click()
  await isShared(page, 'page')
  expect(await camera.take({ scope: 'workspace' })).toMatchObject({ engine: 'restriction-target' })
})

/** Stops sharing as soon as the page begins to take a picture. */
async function stopUnderTheNextPicture(page: Page): Promise<void> {
  await monitor(page).click()
  await page.getByRole('menuitem', { name: 'Stop sharing this page' }).evaluate((entry) => {
    const observer = new MutationObserver(() => {
      observer.disconnect()
      ;(entry as HTMLElement).click()
    })
    observer.observe(document.body, { childList: true })
  })
}

test('[W-424] L6: a reload that ends sharing is told once, and one press brings it back', async () => {
  const workspace = await bench.make()
  await workspace.add('code-editor')
  await using visit = await bench.openShared(workspace)
  const { page } = visit
  const notice = page.getByText('Reloading the page turned sharing off')
  const reload = async () => {
    await page.reload()
    await page.getByRole('banner').getByText('Connected', { exact: true }).waitFor({ state: 'attached' })
  }
  expect(await notice.count()).toBe(0)
  await reload()
  await notice.waitFor()
  await page.getByRole('button', { name: 'Share again' }).click()
  await isShared(page, 'page')
  await notice.waitFor({ state: 'detached' })

  await reload()
  await notice.waitFor()
  await page.getByRole('button', { name: 'Not now' }).click()
  await notice.waitFor({ state: 'detached' })
  await reload()
  expect(await notice.count()).toBe(0)

  // Who has stopped it knows.
  await startSharing(page)
  await chooseSharing(page, 'Stop sharing this page')
  await isShared(page, 'off')
  await reload()
  expect(await notice.count()).toBe(0)
})
