import type { ServerContext } from '@modelcontextprotocol/server'
import { Problem } from '@patchbay/contracts/core'
import type { ViewerStatus } from '@patchbay/contracts/viewer'
import { afterEach, expect, test, vi } from 'vitest'
import { withProgress } from '../../src/mcp/progress.ts'
import { openScreenshotPaste } from '../../src/mcp/screenshot-paste.ts'
import type { ViewerPort } from '../../src/viewer-port.ts'

afterEach(() => void vi.useRealTimers())

/** A call of an agent, with what it was told meanwhile. */
function callWith(progressToken?: string) {
  const told: unknown[] = []
  const notify = async ({ params }: { readonly params: unknown }) => void told.push(params)
  const mcpReq = { signal: new AbortController().signal, _meta: { progressToken }, notify }
  return { told, context: { mcpReq } as unknown as ServerContext }
}

test('[VA-37] who asks for progress hears of it at once and every three seconds, until the answer', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let seconds = 0
  const { told, context } = callWith('token')
  const work = Promise.withResolvers<string>()
  const plan = { message: 'Waiting', totalSeconds: 45 }
  const answer = withProgress(
    context,
    plan,
    () => seconds * 1000,
    () => work.promise,
  )
  for (const passed of [3, 3]) {
    seconds += passed
    vi.advanceTimersByTime(passed * 1000)
  }
  const progressOf = (progress: number) => ({
    progressToken: 'token',
    progress,
    total: 45,
    message: 'Waiting',
  })
  expect(told).toEqual([0, 3, 6].map(progressOf))
  work.resolve('pasted')
  expect(await answer).toBe('pasted')
  vi.advanceTimersByTime(9_000)
  expect(told).toHaveLength(3)
})

test('[VA-37] who does not ask for it is told nothing', async () => {
  const { told, context } = callWith()
  const plan = { message: 'Waiting', totalSeconds: 45 }
  expect(
    await withProgress(
      context,
      plan,
      () => 0,
      async () => 'pasted',
    ),
  ).toBe('pasted')
  expect(told).toEqual([])
})

test('[VA-33] a page that is open and does not show the widget in time is told as that, with the address', async () => {
  const viewer = {
    status: async () => ({ url: 'http://localhost:8797', cursor: '7' }) as ViewerStatus,
    show: () => Promise.reject(new Problem('viewer_silent')),
  } as unknown as ViewerPort
  const asked = openScreenshotPaste(viewer)({ title: 'The board' }, callWith().context)
  await expect(asked).rejects.toMatchObject({
    message: expect.stringContaining('did not show the widget in time'),
    facts: { opened: false, url: 'http://localhost:8797/screenshot-paste?title=The+board', cursor: '7' },
  })
})
