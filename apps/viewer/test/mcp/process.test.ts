import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { freePort } from '@patchbay/testkit/ports'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test, vi } from 'vitest'
import { textOf } from './agents.ts'
import { openBarePage } from './bare-page.ts'
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
function startMcp(desk: Desk, args: readonly string[] = ['--project', desk.project], env = {}): McpProcess {
  const child = spawn(process.execPath, [CLI, 'mcp', ...args], {
    cwd: desk.reach.cwd,
    env: { ...desk.env, ...env },
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

test('[VA-42] a signal ends it as well, also while a call waits', async () => {
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

test('[VA-42][VA-43] a viewer that runs is used and stays; two agents share it', async () => {
  await using desk = await createDesk()
  await desk.startViewer()
  await using page = await openBarePage(desk.url)
  {
    const agents = await Promise.all([desk.connect('1.x', 'stdio'), desk.connect('2.x', 'stdio')])
    await using first = agents[0]
    await using second = agents[1]
    const answers = [
      await first.call('av_screenshot_paste', { title: 'one' }),
      await second.call('av_screenshot_paste', { title: 'two' }),
    ]
    expect(answers.map(({ structuredContent }) => structuredContent?.['opened'])).toEqual([true, true])
    expect(page.shown).toEqual(['one', 'two'])
  }
  expect(await desk.isViewerThere()).toBe(true)
})

test('[VA-43] of two that start in the same moment one runs the viewer, and both can use it', async () => {
  await using desk = await createDesk()
  const agents = await Promise.all([desk.connect('1.x', 'stdio'), desk.connect('1.x', 'stdio')])
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
  const agents = await Promise.all([desk.connect('1.x', 'stdio'), desk.connect('2.x', 'stdio')])
  await using patient = agents[0]
  await using agent = agents[1]
  const waiting = patient.call('av_wait_for_paste', { timeout_seconds: 60 })
  await patient.call('av_screenshot_paste')
  expect(textOf(await agent.call('av_screenshot_paste'))).toContain('No viewer page is open')
  await viewer.kill('SIGKILL')
  expect(textOf(await waiting)).toContain('went away')
  const told = await agent.call('av_screenshot_paste')
  expect(told.isError).toBe(true)
  expect(textOf(told)).toContain('went away')
  const again = await agent.call('av_screenshot_paste')
  expect(textOf(again)).toContain('No viewer page is open')
  await using page = await openBarePage(desk.url)
  expect((await agent.call('av_screenshot_paste')).structuredContent).toMatchObject({ opened: true })
  expect(page.shown).toEqual([null])
})

test('[VA-41] a viewer that is stopped ends the calls that wait, over HTTP', async () => {
  await using desk = await createDesk()
  const viewer = await desk.startViewer()
  await using agent = await desk.connect('1.x', 'HTTP')
  const heard = Promise.withResolvers<void>()
  const waiting = agent.call(
    'av_wait_for_paste',
    { timeout_seconds: 60 },
    { onprogress: () => heard.resolve() },
  )
  await heard.promise
  const begun = performance.now()
  viewer.child.kill('SIGTERM')
  const answer = await waiting
  expect(answer.isError).toBe(true)
  expect(textOf(answer)).toContain('being stopped')
  expect((await viewer.exited)[0]).toBe(0)
  expect(performance.now() - begun).toBeLessThan(8_000)
})

test('[CLI-131] what keeps it from starting is told on standard error, with a code, and nothing is answered', async () => {
  await using desk = await createDesk()
  const server = createServer((_request, response) => response.end('<h1>Hello</h1>')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const other = join(desk.reach.cwd, 'other')
  await mkdir(other)
  await desk.startViewer()
  const free = await freePort()
  const cases = [
    [['--project', '/no/such/folder'], {}, 1, 'There is no folder /no/such/folder'],
    [['--project', desk.project], { PATCHBAY_VIEWER_PORT: String(port) }, 1, 'is no Patchbay viewer'],
    [['--project', other], {}, 1, `viewer of another project, ${desk.project}`],
    [['--url', `http://127.0.0.1:${port}`], {}, 1, 'is no Patchbay viewer'],
    [['--url', `http://127.0.0.1:${free}`], {}, 1, `No viewer answers at http://127.0.0.1:${free}`],
    [['--url', desk.url, '--project', other], {}, 1, 'is that of another project'],
    [['--url', 'http://192.0.2.1:8797'], {}, 2, 'of a viewer on this machine'],
    [[], { PATCHBAY_VIEWER_HOST: '0.0.0.0' }, 78, 'PATCHBAY_VIEWER_HOST'],
  ] as const
  const left = cases.values()
  const work = async () => {
    for (const [args, env, code, words] of left) {
      const mcp = startMcp(desk, args, env)
      mcp.say(HELLO)
      const ended = await mcp.ended
      expect([ended.code, ended.stdout]).toEqual([code, ''])
      expect(ended.stderr).toContain(words)
      expect(ended.stderr).not.toMatch(/\n\s+at |Error:/)
    }
  }
  // Two at a time: nearly all of it is starting the program.
  await Promise.all([work(), work()])
  await expect(fetch(`http://127.0.0.1:${free}`)).rejects.toThrow('fetch failed')
  server.closeAllConnections()
  server.close()
})

test('[CLI-130] its help says who starts it', async () => {
  await using desk = await createDesk()
  const { code, stdout } = await startMcp(desk, ['--help']).ended
  expect(code).toBe(0)
  expect(stdout).toContain('docs/guides/pair-with-an-agent.md')
})
