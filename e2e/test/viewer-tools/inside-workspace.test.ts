import { access } from 'node:fs/promises'
import { connectAgent, textOf } from '@patchbay/viewer-app/test/agents'
import { createDesk, PICTURE } from '@patchbay/viewer-app/test/desk'
import { buildApp } from '@patchbay/web/test/build-app'
import { expect, test, vi } from 'vitest'
import { copy } from '../viewer-pages/hands.ts'
import { useWorkspaces } from '../workspace-pages/workspace.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 })

const bench = useWorkspaces()

test('[J-85] an agent shows the viewer in a panel, a person pastes there with the keys, and the agent gets the path', async () => {
  const workspace = await bench.make()
  const name = workspace.path.replace('/workspaces/', '')
  const { key } = (await workspace.callAsOwner('POST', '/auth/keys', {
    name: 'Pairing agent',
    scopes: [`panels:${name}`],
  })) as { key: string }
  await using desk = await createDesk({
    webRoot: await buildApp(),
    env: {
      PATCHBAY_SERVER_URL: bench.site.url,
      PATCHBAY_API_KEY: key,
      PATCHBAY_VIEWER_FRAMED_BY: bench.site.url,
    },
  })
  await using agent = await connectAgent('2.x', 'stdio', desk.reach)
  await using visit = await bench.open(workspace)
  const { page } = visit

  const closed = await agent.call('av_screenshot_paste')
  expect(textOf(closed)).toContain('av_navigate')
  const shown = await agent.call('av_navigate', { workspace: name, url: 'viewer', addPanel: true })
  expect(shown.structuredContent).toMatchObject({ wasAdded: true, browsers: 1 })
  const panel = page.frameLocator('iframe').frameLocator(`iframe[src^="http://localhost:${desk.port}"]`)
  await panel.getByText('Widgets open in this page.').waitFor()

  const opened = await agent.call('av_screenshot_paste', { title: 'The solder bridge' })
  expect(opened.structuredContent).toMatchObject({ opened: true })
  const heading = panel.getByRole('heading', { name: 'The solder bridge' })
  await heading.waitFor()

  const waiting = agent.call('av_wait_for_paste', {
    after: opened.structuredContent?.['cursor'],
    timeout_seconds: 120,
  })
  await copy(page, { png: Buffer.from(PICTURE) })
  await heading.click()
  await page.keyboard.press('ControlOrMeta+V')
  const { structuredContent, content } = await waiting
  expect(structuredContent).toMatchObject({ pasted: true, width: 8, height: 8 })
  expect(content.map(({ type }) => type)).toEqual(['text', 'image'])
  await access(structuredContent?.['absolute_path'] as string)
})
