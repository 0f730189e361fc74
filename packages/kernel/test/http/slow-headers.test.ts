import { connect } from 'node:net'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import type { HttpOptions } from '../../src/http/index.ts'
import { startHttp } from './harness.ts'

/** A client that sends a header now and then, and never the last one: what it hears, and when it is cut off. */
async function dawdle(overrides: Partial<HttpOptions>): Promise<{ heard: string; afterMs: number }> {
  await using http = startHttp(overrides)
  const port = Number(new URL(await http.listen()).port)
  const socket = connect(port, '127.0.0.1')
  const began = performance.now()
  socket.write('GET /health HTTP/1.1\r\nhost: localhost\r\n')
  const trickle = setInterval(() => socket.write('x-more: 1\r\n'), 50)
  let heard = ''
  socket.on('data', (chunk) => (heard += chunk.toString())).on('error', () => {})
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(trickle)
  return { heard, afterMs: performance.now() - began }
}

test('[K-236] S8: a client whose headers do not come is answered and cut off', async () => {
  const { heard } = await dawdle({ headerTimes: { timeoutMs: 100, checkMs: 20 } })
  expect(heard).toMatch(/^HTTP\/1\.1 408 /)
  expect(heard).toContain('"code":"request_timeout"')
})

deepTest(
  '[K-236] S8: it has ten seconds, and is gone within 15',
  async () => {
    const { heard, afterMs } = await dawdle({})
    expect(heard).toMatch(/^HTTP\/1\.1 408 /)
    expect(afterMs).toBeGreaterThan(9_900)
    expect(afterMs).toBeLessThan(15_000)
  },
  60_000,
)
