import { access } from 'node:fs/promises'
import { type Browser, openPage, startChromium } from '@patchbay/testkit/chromium'
import { AGENTS } from '@patchbay/viewer-app/test/agents'
import { type Agents, connectAgents, PICTURE } from '@patchbay/viewer-app/test/desk'
import { buildApp } from '@patchbay/web/test/build-app'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { paste } from '../viewer-pages/hands.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

let browser: Browser
let agents: Agents
beforeAll(async () => {
  agents = await connectAgents({ webRoot: await buildApp() })
  browser = await startChromium()
})
afterAll(async () => {
  await browser.close()
  await agents[Symbol.asyncDispose]()
})

test.each(AGENTS)(
  '[VA-31][VA-35] an agent with the library $generation over $road opens the widget in a real page, a person pastes, and it gets the path',
  async ({ generation, road }) => {
    const { agent, desk } = agents.with(generation, road)
    await agent.listTools()
    const url = `http://localhost:${desk.port}`
    await using tab = await openPage(browser)
    const { page } = tab
    await page.goto(url)
    await page.getByRole('heading', { name: 'An agent opens widgets here' }).waitFor()

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
