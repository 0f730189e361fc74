import { expect, test } from 'vitest'
import { startPlainPage } from '../workspace-pages/plain-page.ts'
import { panelNamed, useWorkspaces } from '../workspace-pages/workspace.ts'
import { type Answer, startAgent } from './agent.ts'
import { PROXY_SETTINGS } from './proxy-settings.ts'
import { startUnframedSite } from './unframed-site.ts'

const bench = useWorkspaces({ environment: PROXY_SETTINGS })
const NO_CONTENT = { status: 204, body: undefined }

const seen = ({ status, body }: Answer) => ({ status, body })

test('[J-40] navigate, refresh and setHeaderHidden answer 204 and are seen in the page at once', async () => {
  await using first = await startPlainPage('<h1>First, load %</h1>')
  await using second = await startPlainPage('<h1>Second, load %</h1>')
  const workspace = await bench.make()
  const { panelId } = await workspace.add('webview')
  const agent = await startAgent(bench, workspace)
  await using visit = await bench.open(workspace)
  const panel = panelNamed(visit.page, 'Web view')
  const address = panel.getByRole('textbox', { name: 'Address' })
  const frame = panel.frameLocator('iframe').frameLocator('iframe')
  await panel.getByText('No page yet').waitFor()

  for (const { url, heading } of [
    { url: first.url, heading: 'First, load 1' },
    { url: second.url, heading: 'Second, load 1' },
  ]) {
    expect(seen(await agent.webview({ panelId, action: 'navigate', url }))).toEqual(NO_CONTENT)
    await frame.getByRole('heading', { name: heading }).waitFor()
    expect(await address.inputValue()).toBe(url)
  }
  expect(seen(await agent.webview({ panelId, action: 'refresh' }))).toEqual(NO_CONTENT)
  await frame.getByRole('heading', { name: 'Second, load 2' }).waitFor()

  const hide = async (hidden: boolean) =>
    seen(await agent.webview({ panelId, action: 'setHeaderHidden', hidden }))
  expect(await hide(true)).toEqual(NO_CONTENT)
  await address.waitFor({ state: 'detached' })
  expect(await hide(false)).toEqual(NO_CONTENT)
  await address.waitFor()
  await frame.getByRole('heading', { name: 'Second, load 2' }).waitFor()
  expect([first.loads(), second.loads()]).toEqual([1, 2])
})

test('[J-41][D-322] C3: setProxyEnabled shows a site that forbids frames; address and scroll follow what happens in it', async () => {
  await using site = await startUnframedSite()
  const workspace = await bench.make()
  const { panelId } = await workspace.add('webview', { initialState: { url: site.url } })
  const agent = await startAgent(bench, workspace)
  await using visit = await bench.open(workspace, {
    expectedFaults: [/Refused to display|frame-ancestors|X-Frame-Options/],
  })
  const { page } = visit
  const panel = panelNamed(page, 'Web view')
  const frame = panel.frameLocator('iframe').frameLocator('iframe')
  const heading = frame.getByRole('heading', { name: 'Keep out of frames' })
  await panel.locator('iframe').waitFor()
  await expect.poll(() => site.asked.length).toBe(1)
  expect(await heading.count()).toBe(0)

  const proxy = (enabled: boolean) => agent.webview({ panelId, action: 'setProxyEnabled', enabled })
  expect(seen(await proxy(true))).toEqual(NO_CONTENT)
  await heading.waitFor()
  expect(site.asked.at(-1)).not.toHaveProperty('cookie')
  expect(site.asked.at(-1)).not.toHaveProperty('x-api-key')
  await frame.getByRole('link', { name: 'Parts' }).click()
  await frame.getByRole('heading', { name: 'Parts' }).waitFor()
  const address = panel.getByRole('textbox', { name: 'Address' })
  await expect.poll(() => address.inputValue()).toBe(`${site.url}parts`)
  await frame.locator('html').evaluate(() => scrollTo(0, 1e6))
  await expect
    .poll(() => panel.getByRole('meter', { name: 'Scroll position' }).getAttribute('aria-valuetext'))
    .toBe('Scrolled 100 %')

  expect(seen(await proxy(false))).toEqual(NO_CONTENT)
  await panel.getByRole('meter').waitFor({ state: 'detached' })
  await expect.poll(() => frame.getByRole('heading').count()).toBe(0)
})

test('[J-42] what was set while nobody looked is what every browser shows that opens later', async () => {
  await using first = await startPlainPage('<h1>First, load %</h1>')
  await using second = await startPlainPage('<h1>Second, load %</h1>')
  const workspace = await bench.make()
  const agent = await startAgent(bench, workspace)
  const added = await agent.ask('POST', ':workspace/current/tabs', {
    panelType: 'webview',
    displayName: 'Docs',
    initialState: { url: first.url },
  })
  expect(added.status).toBe(201)
  const { panelId } = added.body as { panelId: string }
  {
    await using visit = await bench.open(workspace)
    const panel = panelNamed(visit.page, 'Docs')
    await panel
      .frameLocator('iframe')
      .frameLocator('iframe')
      .getByRole('heading', { name: 'First, load 1' })
      .waitFor()
    expect(await panel.getByRole('textbox', { name: 'Address' }).inputValue()).toBe(first.url)
  }
  const answers = [
    await agent.webview({ panelId, action: 'navigate', url: second.url }),
    await agent.webview({ panelId, action: 'setHeaderHidden', hidden: true }),
    await agent.webview({ panelId, action: 'setProxyEnabled', enabled: true }),
    await agent.webview({ panelId, action: 'refresh' }),
  ]
  expect(answers.map(seen)).toEqual([NO_CONTENT, NO_CONTENT, NO_CONTENT, NO_CONTENT])
  expect(second.loads()).toBe(0)

  for (const loads of [1, 2]) {
    await using visit = await bench.open(workspace)
    const panel = panelNamed(visit.page, 'Docs')
    await panel
      .frameLocator('iframe')
      .frameLocator('iframe')
      .getByRole('heading', { name: `Second, load ${loads}` })
      .waitFor()
    await panel.getByRole('meter', { name: 'Scroll position' }).waitFor()
    expect(await panel.getByRole('textbox', { name: 'Address' }).count()).toBe(0)
  }
})
