import type { SandboxResult } from '@patchbay/contracts/panels'
import { atLatest, deepTest, depth } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addSandbox, type Bench, type Boxes, type SandboxPage, startBench } from './bench.ts'
import { ATTACKS, HANGS } from './hostile.ts'

const HANG_MS = depth({ common: 300, deep: 1_500 })
let bench: Bench
let sandbox: SandboxPage
beforeAll(async () => {
  bench = await startBench({ hasOwnBrowser: true })
  sandbox = await bench.open()
}, 120_000)
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
  await bench[Symbol.asyncDispose]()
})

/** On a busy machine a frame may not answer before a short deadline; then the code was not begun. */
async function hang(code: string): Promise<SandboxResult> {
  for (let tries = 0; tries < 10; tries += 1) {
    const answer = await sandbox.evaluate(code, HANG_MS)
    if (answer.error !== 'The frame is not ready.') return answer
    await sandbox.value('"ready"')
  }
  throw new Error('the frame was never ready')
}

describe('[W-326] code that does not end is an error by its deadline, and the next code runs', () => {
  test.each(HANGS)(
    '%s',
    async (code) => {
      const { status, error } = await hang(code)
      expect(status).toBe('error')
      expect(error).toMatch(new RegExp(`^(?:timed out after ${HANG_MS} ms|RangeError|TypeError)`))
      expect(await sandbox.value('40 + 2')).toBe(42)
    },
    90_000,
  )

  deepTest.each(HANGS)(
    'without delay: %s',
    async (code) => {
      const begun = performance.now()
      await sandbox.evaluate(code, HANG_MS)
      expect(performance.now() - begun).toBeLessThan(HANG_MS + 8_000)
      expect(await sandbox.value('40 + 2')).toBe(42)
    },
    90_000,
  )
})

describe('[W-327] hostile code has a result, and the next code has its own', () => {
  test.each(ATTACKS)(
    '%s',
    async (code) => {
      const answer = await sandbox.evaluate(code, 10_000)
      expect(['executed', 'error']).toContain(answer.status)
      expect(answer.error ?? '').not.toContain('timed out')
      expect(await sandbox.value('40 + 2')).toBe(42)
      expect(await sandbox.value('await 0; ({ list: [1, "two"] })')).toEqual({ list: [1, 'two'] })
      expect(await sandbox.value('typeof stolen')).toBe('undefined')
      expect(await sandbox.evaluate('throw new Error("mine")')).toMatchObject({ error: 'Error: mine' })
    },
    90_000,
  )
})

deepTest(
  '[W-328] while code hangs the page goes on, and frames that hang with it come back too',
  async () => {
    await using two = await bench.open()
    await addSandbox(two.page, 'second')
    const limit = depth({ common: 4_000, deep: 1_000 })
    const { error, results, turns } = await two.page.evaluate(async (ms) => {
      const { boxes } = globalThis as unknown as Boxes
      let count = 0
      const timer = setInterval(() => {
        count += 1
      }, 10)
      const hung = await boxes['first']?.evaluate('while (true) {}', ms)
      clearInterval(timer)
      const after = await Promise.all([
        boxes['first']?.evaluate('1', 20_000),
        boxes['second']?.evaluate('2', 20_000),
      ])
      return { error: hung?.error, results: after.map((answer) => answer?.result), turns: count }
    }, limit)
    expect(error).toBe(`timed out after ${limit} ms`)
    expect(results).toEqual([1, 2])
    // A hundred on a machine at rest; a page that waits for its frame has one or two.
    expect(turns).toBeGreaterThan(5)
  },
  90_000,
)

deepTest(
  '[W-328] the page is never still for half a second, and the frames are back in ten',
  async () => {
    await using two = await bench.open()
    await addSandbox(two.page, 'second')
    const { worst, took } = await two.page.evaluate(async () => {
      const { boxes } = globalThis as unknown as Boxes
      let last = performance.now()
      let longest = 0
      const timer = setInterval(() => {
        longest = Math.max(longest, performance.now() - last)
        last = performance.now()
      }, 10)
      await boxes['first']?.evaluate('while (true) {}', 2_000)
      clearInterval(timer)
      const begun = performance.now()
      await Promise.all([boxes['first']?.evaluate('1', 20_000), boxes['second']?.evaluate('2', 20_000)])
      return { worst: longest, took: performance.now() - begun }
    })
    expect(took).toBeLessThan(atLatest(10_000))
    // Less than the endless loop was given; tens of milliseconds on a machine at rest.
    expect(worst).toBeLessThan(depth({ common: 1_500, deep: 500 }))
  },
  90_000,
)

deepTest(
  '[W-334] code that sends its page elsewhere is told so, and the next code has a page of its own at once',
  async () => {
    for (let count = 0; count < depth({ common: 3, deep: 20 }); count += 1) {
      // Also where the code has made its document forget who listens.
      if (count > 0) await sandbox.evaluate('document.write("anew")')
      const answer = await sandbox.evaluate('location = "about:blank"', 10_000)
      expect(answer).toMatchObject({ status: 'error', error: 'The code navigated away.' })
      expect(await sandbox.value('40 + 2')).toBe(42)
    }
  },
  90_000,
)

test('[W-334] a page that has said that it leaves begins nothing anymore', async () => {
  const told = await sandbox.page.evaluate(async () => {
    const { start } = globalThis as unknown as { start: (port: MessagePort) => void }
    const { port1, port2 } = new MessageChannel()
    const types: string[] = []
    const hasAnswered = new Promise<void>((resolve) => {
      port1.addEventListener('message', ({ data }: MessageEvent<{ type: string }>) => {
        types.push(data.type)
        if (data.type === 'pong') resolve()
      })
    })
    port1.start()
    start(port2)
    dispatchEvent(new Event('beforeunload'))
    port1.postMessage({ type: 'evaluate', id: 1, code: '1' })
    port1.postMessage({ type: 'ping', id: 2 })
    await hasAnswered
    return types
  })
  expect(told).toEqual(['ready', 'leaving', 'pong'])
})

deepTest(
  '[W-334] the next code has a page of its own also where nobody is told that the page is left',
  async () => {
    for (let count = 0; count < depth({ common: 5, deep: 50 }); count += 1) {
      // A document without a body is not asked whether it may be left.
      await sandbox.evaluate('document.documentElement.remove(); location = "about:blank"', 10_000)
      expect(await sandbox.value('40 + 2')).toBe(42)
    }
  },
  90_000,
)

test('[W-329] code that hangs after its end is found before the next begins', async () => {
  await sandbox.evaluate('setTimeout(() => { while (true) {} })')
  expect(await sandbox.value('"runs"')).toBe('runs')
}, 90_000)
