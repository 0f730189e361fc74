import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http'
import type { Duplex } from 'node:stream'
import { PROBLEM_CONTENT_TYPE, type Problem } from '@patchbay/contracts/core'

/** Answers the raw socket of an upgrade that is not wanted. */
export function refuse(socket: Duplex, problem: Problem, closeTimeoutMs: number): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  socket.end(render(problem))
  // Nobody else reads this socket anymore: the client's own end would go unnoticed until the deadline.
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), closeTimeoutMs).unref()
  socket.once('close', () => clearTimeout(timer))
}

function render(problem: Problem): string {
  const body = JSON.stringify(problem)
  const headers = {
    ...problem.headers,
    'cache-control': 'no-store',
    'content-type': PROBLEM_CONTENT_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    'x-content-type-options': 'nosniff',
    connection: 'close',
  }
  const lines = [`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? problem.code}`]
  for (const [name, value] of Object.entries(headers)) {
    // A line break in a value would start a header of the value's choosing.
    validateHeaderName(name)
    validateHeaderValue(name, value)
    lines.push(`${name}: ${value}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
