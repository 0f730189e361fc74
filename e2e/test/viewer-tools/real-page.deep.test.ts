import { access } from 'node:fs/promises'
import { openPage, sharedChromium } from '@patchbay/testkit/chromium'
import { AGENTS } from '@patchbay/viewer-app/test/agents'
import { createDesk, PICTURE } from '@patchbay/viewer-app/test/desk'
import { buildApp } from '@patchbay/web/test/build-app'
import { expect, test, vi } from 'vitest'
import { paste } from '../viewer-pages/hands.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

test.each(AGENTS)(
  '[VA-31][VA-35] an agent with the library $generation over $road opens the widget in a real page, a person pastes, and it gets the path',
  async ({ generation, road }) => {
    await using desk = await createDesk({ webRoot: await buildApp() })
    if (road === 'HTTP') await desk.startViewer()
    await using agent = await desk.connect(generation, road)
    await agent.listTools()
    const url = `http://localhost:${desk.port}`
    await using tab = await openPage(await sharedChromium())
    const { page } = tab
    await page.goto(url)
    await page.getByText('Widgets open in this page.').waitFor()

    const opened = await agent.call('av_screenshot_paste', { title: 'The solder bridge' })
    expect(opened.structuredContent).toMatchObject({ opened: true })
    await page.getByRole('heading', { name: 'The solder bridge' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/screenshot-paste')

    const waiting = agent.call('av_wait_for_paste', {
      after: opened.structuredContent?.['cursor'],
      timeout_seconds: 60,
    })
    await page.bringToFront()
    await paste(page, Buffer.from(PICTURE))
    const { structuredContent, content } = await waiting
    expect(structuredContent).toMatchObject({ pasted: true, width: 8, height: 8 })
    await access(structuredContent?.['absolute_path'] as string)
    expect(content.map(({ type }) => type)).toEqual(['text', 'image'])
  },
)
