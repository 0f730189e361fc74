import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, vi } from 'vitest'
import { startTestViewer, type TestViewer } from '../start.ts'
import { connectAgent, textOf } from './agents.ts'
import { openBarePage } from './bare-page.ts'
import { type InsideOptions, startInside } from './inside.ts'
import { CLI, createDesk, type Desk } from './rig.ts'

// Each starts a few processes, on a machine that others use.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface McpProcess {
  readonly pid: number
  say(...messages: object[]): void
  endInput(): void
  kill(signal: NodeJS.Signals): void
  stdout(): string
  readonly ended: Promise<Ended>
}

/** `patchbay mcp` as an agent starts it, with nothing in between. */
function startMcp(desk: Desk, args: readonly string[] = ['--project', desk.project]): McpProcess {
  const child = spawn(process.execPath, [CLI, 'mcp', ...args], {
    cwd: desk.reach.cwd,
    env: desk.env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      texts[name] += chunk.toString('utf8')
    })
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, ...texts }))
  })
  return {
    pid: child.pid ?? -1,
    say: (...messages) => {
      for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    },
    endInput: () => child.stdin.end(),
    kill: (signal) => void child.kill(signal),
    stdout: () => texts.stdout,
    ended,
  }
}

const HELLO = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

test('[VA-42][VA-45][CLI-130] runs a viewer of its own, says nothing but messages on standard output, and ends with its input', async () => {
  await using desk = await createDesk({ env: { PATCHBAY_LOG_LEVEL: 'debug' } })
  const mcp = startMcp(desk)
  mcp.say(HELLO, { method: 'notifications/initialized' }, { id: 1, method: 'tools/list' })
  mcp.say({ id: 2, method: 'tools/call', params: { name: 'av_screenshot_paste', arguments: {} } })
  await waitUntil('three answers', () => mcp.stdout().trim().split('\n').length === 3, { deadlineMs: 60_000 })
  expect(await desk.isViewerThere()).toBe(true)
  mcp.endInput()
  const { code, stdout, stderr } = await mcp.ended
  expect(code).toBe(0)
  const messages = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { jsonrpc: string; id: number })
  expect(new Set(messages.map(({ jsonrpc }) => jsonrpc))).toEqual(new Set(['2.0']))
  expect(new Set(messages.map(({ id }) => id))).toEqual(new Set([0, 1, 2]))
  expect(stderr).toContain(`http://localhost:${desk.port}`)
  expect(await desk.isViewerThere()).toBe(false)
})

deepTest('[VA-42] a signal ends it as well, also while a call waits', async () => {
  await using desk = await createDesk()
  const mcp = startMcp(desk)
  mcp.say(HELLO, { method: 'notifications/initialized' })
  mcp.say({
    id: 1,
    method: 'tools/call',
    params: { name: 'av_wait_for_paste', arguments: { timeout_seconds: 300 } },
  })
  await waitUntil('it runs', () => mcp.stdout().includes('"id":0'), { deadlineMs: 60_000 })
  mcp.kill('SIGTERM')
  expect((await mcp.ended).code).toBe(0)
  expect(await desk.isViewerThere()).toBe(false)
})

/** The viewer of the desk's project in this process, where agents look for it. */
function startViewerOf({ project, port }: Desk): Promise<TestViewer> {
  return startTestViewer({ project, environment: { PATCHBAY_VIEWER_PORT: String(port) } })
}

test('[VA-42][VA-43] a viewer that runs is used and stays; two agents share it', async () => {
  await using desk = await createDesk()
  await using viewer = await startViewerOf(desk)
  await using page = await openBarePage(desk.url)
  {
    await using first = await startInside(desk)
    await using second = await startInside(desk)
    const answers = [
      await first.call('av_screenshot_paste', { title: 'one' }),
      await second.call('av_screenshot_paste', { title: 'two' }),
    ]
    expect(answers.map(({ structuredContent }) => structuredContent?.['opened'])).toEqual([true, true])
    expect(page.shown).toEqual(['one', 'two'])
  }
  expect((await viewer.ask('/health')).status).toBe(200)
})

deepTest(
  '[VA-43] of two that start in the same moment one runs the viewer, and both can use it',
  async () => {
    await using desk = await createDesk()
    const agents = await Promise.all([startInside(desk), startInside(desk)])
    await using _first = agents[0]
    await using _second = agents[1]
    await using page = await openBarePage(desk.url)
    const answers = await Promise.all(agents.map((agent) => agent.call('av_screenshot_paste')))
    expect(answers.map(({ isError = false }) => isError)).toEqual([false, false])
    expect(page.shown).toHaveLength(2)
  },
)

deepTest('[VA-43] of two processes that start in the same moment one runs the viewer', async () => {
  await using desk = await createDesk()
  const agents = await Promise.all([desk.connect('1.x', 'stdio'), desk.connect('2.x', 'stdio')])
  await using _first = agents[0]
  await using _second = agents[1]
  await using page = await openBarePage(desk.url)
  const answers = await Promise.all(agents.map((agent) => agent.call('av_screenshot_paste')))
  expect(answers.map(({ isError = false }) => isError)).toEqual([false, false])
  expect(page.shown).toHaveLength(2)
})

test('[VA-44] a viewer that was killed is told once, to who waits and to who asks; then the agent has one of its own', async () => {
  await using desk = await createDesk()
  const viewer = await desk.startViewer()
  await using patient = await startInside(desk)
  await using agent = await startInside(desk)
  const waiting = patient.call('av_wait_for_paste', { timeout_seconds: 60 })
  await patient.call('av_screenshot_paste')
  expect((await agent.call('av_screenshot_paste')).structuredContent).toMatchObject({ opened: false })
  await viewer.kill('SIGKILL')
  for (const told of [await waiting, await agent.call('av_screenshot_paste')]) {
    expect(told.isError).toBe(true)
    expect(textOf(told)).toContain('went away')
  }
  const again = await agent.call('av_screenshot_paste')
  expect(again.structuredContent).toMatchObject({ opened: false })
  await using page = await openBarePage(desk.url)
  expect((await agent.call('av_screenshot_paste')).structuredContent).toMatchObject({ opened: true })
  expect(page.shown).toEqual([null])
})

test('[VA-41] a viewer that is stopped ends the calls that wait, over HTTP', async () => {
  await using desk = await createDesk()
  await using viewer = await startViewerOf(desk)
  await using agent = await connectAgent('1.x', 'HTTP', desk.reach)
  const heard = Promise.withResolvers<void>()
  const waiting = agent.call(
    'av_wait_for_paste',
    { timeout_seconds: 60 },
    { onprogress: () => heard.resolve() },
  )
  await heard.promise
  const stopped = viewer.drain()
  const answer = await waiting
  expect(answer.isError).toBe(true)
  expect(textOf(answer)).toContain('being stopped')
  expect(await stopped).toBe(true)
})

test('[CLI-131] what keeps it from starting is told on standard error, with a code, and nothing is answered', async () => {
  await using desk = await createDesk()
  const server = createServer((_request, response) => response.end('<h1>Hello</h1>')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const other = join(desk.reach.cwd, 'other')
  await mkdir(other)
  await using _viewer = await startViewerOf(desk)
  const free = await freePort()
  const cases: readonly (readonly [InsideOptions, number, string])[] = [
    [{ project: '/no/such/folder' }, 1, 'There is no folder /no/such/folder'],
    [{ env: { PATCHBAY_VIEWER_PORT: String(port) } }, 1, 'is no Patchbay viewer'],
    [{ project: other }, 1, `viewer of another project, ${desk.project}`],
    [{ url: `http://127.0.0.1:${port}` }, 1, 'is no Patchbay viewer'],
    [{ url: `http://127.0.0.1:${free}` }, 1, `No viewer answers at http://127.0.0.1:${free}`],
    [{ url: desk.url, project: other }, 1, 'is that of another project'],
    [{ url: 'http://192.0.2.1:8797' }, 2, 'of a viewer on this machine'],
    [{ env: { PATCHBAY_VIEWER_HOST: '0.0.0.0' } }, 78, 'PATCHBAY_VIEWER_HOST'],
  ]
  for (const [options, code, words] of cases) {
    await using mcp = await startInside(desk, options)
    expect([options, mcp.exits, mcp.output()]).toEqual([options, [code], ''])
    expect(mcp.words.join('\n')).toContain(words)
    expect(mcp.words.join('\n')).not.toMatch(/\n\s+at |Error:/)
  }
  await expect(fetch(`http://127.0.0.1:${free}`)).rejects.toThrow('fetch failed')
  server.closeAllConnections()
  server.close()
})

deepTest('[CLI-131] so it is from a process', async () => {
  await using desk = await createDesk()
  const mcp = startMcp(desk, ['--url', 'http://192.0.2.1:8797'])
  mcp.say(HELLO)
  const { code, stdout, stderr } = await mcp.ended
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).not.toBe('')
})

test('[CLI-130] its help says who starts it', async () => {
  await using desk = await createDesk()
  const { code, stdout } = await startMcp(desk, ['--help']).ended
  expect(code).toBe(0)
  expect(stdout).toContain('docs/guides/pair-with-an-agent.md')
})
