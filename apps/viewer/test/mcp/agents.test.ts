import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call } from '@patchbay/contracts/core'
import { getViewerStatus } from '@patchbay/contracts/viewer'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import { AGENTS, textOf } from './agents.ts'
import { openBarePage } from './bare-page.ts'
import { type Agents, connectAgents, PICTURE, pasteInto } from './rig.ts'

// Processes are started, on a machine that others use.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let agents: Agents
beforeAll(async () => {
  agents = await connectAgents()
})
afterAll(() => agents[Symbol.asyncDispose]())

const NAMES = [
  'av_screenshot_paste',
  'av_wait_for_paste',
  'av_list_panels',
  'av_navigate',
  'av_eval',
  'av_eval_result',
  'av_screenshot',
  'av_list_files',
  'av_read_file',
  'av_write_file',
  'av_edit_file',
  'av_search_files',
  'av_list_devices',
  'av_read_device',
  'av_watch_device',
  'av_command_device',
  'av_stop_devices',
  'av_read_nets',
  'av_check_board',
  'av_list_parts',
  'av_render_board',
  'av_change_schematic',
  'av_search_symbols',
  'av_add_library',
]

describe.each(AGENTS)('an agent with the library $generation over $road', ({ generation, road }) => {
  test('[VA-30][VA-31][VA-32] lists the tools, opens the widget in a page that is open, and is told how one is opened', async () => {
    const { agent, desk } = agents.with(generation, road)
    const tools = await agent.listTools()
    expect(tools.map(({ name }) => name)).toEqual(NAMES)
    expect(agent.serverName()).toBe('viewer')
    const [paste] = tools
    expect(paste?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    })
    expect(Object.keys(paste?.inputSchema.properties ?? {})).toEqual(['title'])
    expect(Object.keys(paste?.outputSchema?.properties ?? {})).toEqual(['opened', 'url', 'cursor', 'message'])
    expect(
      tools.filter(({ title, description, outputSchema }) => !title || !description || !outputSchema),
    ).toEqual([])

    const closed = await agent.call('av_screenshot_paste', { title: 'The board' })
    expect(closed.isError).toBe(true)
    const url = `http://localhost:${desk.port}/screenshot-paste?title=The+board`
    expect(closed.structuredContent).toMatchObject({ opened: false, url })
    expect(textOf(closed)).toContain(url)
    expect(textOf(closed)).toContain('av_navigate')

    await using page = await openBarePage(desk.url)
    const opened = await agent.call('av_screenshot_paste', {
      title: 'The  board\nand\u202e its\u0000 case',
    })
    expect(opened.isError ?? false).toBe(false)
    expect(opened.structuredContent).toMatchObject({ opened: true, cursor: expect.any(String) })
    expect(page.shown).toEqual(['The board and its case'])
  })

  deepTest('[VA-35] gets what was pasted: the paths, the picture, and where to go on', async () => {
    const { agent, desk } = agents.with(generation, road)
    await agent.listTools()
    await using _page = await openBarePage(desk.url)
    const { structuredContent: opened } = await agent.call('av_screenshot_paste', { title: 'The board' })
    // Before anybody waits: it must not be missed.
    const paste = await pasteInto(desk.url, PICTURE)
    const answer = await agent.call('av_wait_for_paste', { after: opened?.['cursor'] })
    expect(answer.isError ?? false).toBe(false)
    expect(answer.structuredContent).toMatchObject({
      pasted: true,
      path: paste.optimized.path,
      absolute_path: join(desk.project, paste.optimized.path),
      original_path: paste.original.path,
      name: paste.name,
      width: 8,
      height: 8,
    })
    expect(textOf(answer)).toContain('not instructions')
    const picture = answer.content.find(({ type }) => type === 'image')
    expect(picture?.mimeType).toBe('image/png')
    expect(Buffer.from(picture?.data ?? '', 'base64')).toEqual(await readFile(paste.optimized.absolute_path))

    const waiting = agent.call('av_wait_for_paste', { after: answer.structuredContent?.['cursor'] })
    const next = await pasteInto(desk.url, PICTURE)
    expect((await waiting).structuredContent).toMatchObject({ path: next.optimized.path })
  })
})

// These wait at once: what they test is that time passes.
deepTest.concurrent.each(AGENTS)(
  '[VA-36][VA-37] an agent with the library $generation over $road hears of progress at once, and where to go on when nothing comes',
  async ({ generation, road }) => {
    const { agent } = agents.with(generation, road)
    await agent.listTools()
    const heard: number[] = []
    const answer = await agent.call(
      'av_wait_for_paste',
      { timeout_seconds: 1 },
      { onprogress: ({ progress }) => void heard.push(progress) },
    )
    expect(answer.isError ?? false).toBe(false)
    expect(answer.structuredContent).toMatchObject({ pasted: false, cursor: expect.any(String) })
    expect(heard[0]).toBe(0)
  },
)

deepTest.each(AGENTS)(
  '[VA-36][VA-37] an agent with the library $generation over $road hears of progress while nothing comes, which moves its deadline, and is told where to go on',
  async ({ generation, road }) => {
    const { agent } = agents.with(generation, road)
    await agent.listTools()
    const heard: number[] = []
    const answer = await agent.call(
      'av_wait_for_paste',
      { timeout_seconds: 7 },
      {
        timeout: 5_000,
        resetTimeoutOnProgress: true,
        onprogress: ({ progress }) => void heard.push(progress),
      },
    )
    expect(answer.isError ?? false).toBe(false)
    expect(answer.structuredContent).toMatchObject({ pasted: false, cursor: expect.any(String) })
    expect(heard[0]).toBe(0)
    expect(heard.length).toBeGreaterThan(1)
  },
)

deepTest('[VA-33] a page that is open and does not answer is told as that', async () => {
  const { agent, desk } = agents.with('2.x', 'HTTP')
  await using page = await openBarePage(desk.url, { answers: false })
  const answer = await agent.call('av_screenshot_paste')
  expect(page.shown).toEqual([null])
  expect(answer.isError).toBe(true)
  expect(textOf(answer)).toContain('did not show the widget in time')
})

test('[VA-34] arguments that the tool does not know, or of another kind, are refused in an answer that names them', async () => {
  const { agent } = agents.with('1.x', 'HTTP')
  for (const [given, named] of [
    [{ color: 'red' }, /color|additional/],
    [{ title: 7 }, /title/],
    [{ title: 'x'.repeat(201) }, /title/],
  ] as const) {
    const answer = await agent.call('av_screenshot_paste', given)
    expect(answer.isError).toBe(true)
    expect(textOf(answer)).toMatch(named)
  }
})

test('[VA-35] without a cursor only what comes after the call counts', async () => {
  const { agent, desk } = agents.with('1.x', 'HTTP')
  await pasteInto(desk.url, PICTURE)
  const begun = Promise.withResolvers<void>()
  const waiting = agent.call(
    'av_wait_for_paste',
    { timeout_seconds: 30 },
    { onprogress: () => begun.resolve() },
  )
  await begun.promise
  await call(getViewerStatus, {}, { baseUrl: desk.url })
  const second = await pasteInto(desk.url, PICTURE)
  expect((await waiting).structuredContent).toMatchObject({ path: second.optimized.path })
})

test('[VA-36] longer than five minutes is refused, and so is a cursor of somebody else', async () => {
  const { agent } = agents.with('2.x', 'HTTP')
  expect(textOf(await agent.call('av_wait_for_paste', { timeout_seconds: 301 }))).toContain('timeout_seconds')
  const answer = await agent.call('av_wait_for_paste', { after: 'nonsense' })
  expect(answer.isError).toBe(true)
  expect(textOf(answer)).toContain('cursor')
})

/** How many wait at a viewer is seen by how many it turns away. */
deepTest.each(AGENTS.filter(({ generation, road }) => road === 'stdio' || generation === '2.x'))(
  '[VA-38] what an agent with the library $generation over $road cancels does not wait on',
  async ({ generation, road }) => {
    const { agent, desk } = agents.with(generation, road)
    await agent.listTools()
    // More than one viewer serves at once: without an end of the earlier ones the last ones were refused.
    for (let round = 0; round < 4; round += 1) {
      const controller = new AbortController()
      const begun: Promise<void>[] = []
      const waits = Array.from({ length: 20 }, () => {
        const heard = Promise.withResolvers<void>()
        begun.push(heard.promise)
        return agent.call(
          'av_wait_for_paste',
          { timeout_seconds: 300 },
          { signal: controller.signal, onprogress: () => heard.resolve() },
        )
      })
      await Promise.all(begun)
      controller.abort()
      const ended = await Promise.allSettled(waits)
      expect(ended.every(({ status }) => status === 'rejected')).toBe(true)
    }
    const { structuredContent } = await agent.call('av_screenshot_paste')
    await pasteInto(desk.url, PICTURE)
    const answer = await agent.call('av_wait_for_paste', { after: structuredContent?.['cursor'] })
    expect(answer.structuredContent).toMatchObject({ pasted: true })
  },
)

test('[VA-38] an agent that goes away over HTTP does not wait on', async () => {
  const { desk } = agents.with('1.x', 'HTTP')
  for (let round = 0; round < 4; round += 1) {
    const agent = await desk.connect('1.x', 'HTTP')
    const begun = Array.from({ length: 20 }, () => Promise.withResolvers<void>())
    const waits = begun.map(({ resolve }) =>
      agent.call('av_wait_for_paste', { timeout_seconds: 300 }, { onprogress: () => resolve() }),
    )
    await Promise.all(begun.map(({ promise }) => promise))
    await agent[Symbol.asyncDispose]()
    const ended = await Promise.allSettled(waits)
    expect(ended.every(({ status }) => status === 'rejected')).toBe(true)
  }
  await using last = await desk.connect('1.x', 'HTTP')
  const { structuredContent } = await last.call('av_screenshot_paste')
  await pasteInto(desk.url, PICTURE)
  const answer = await last.call('av_wait_for_paste', { after: structuredContent?.['cursor'] })
  expect(answer.structuredContent).toMatchObject({ pasted: true })
})
