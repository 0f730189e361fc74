import { writeFile } from 'node:fs/promises'
import { type HttpResult, measureHttp } from './http/measure.ts'
import { describeMachine } from './machine.ts'
import { measureWebSocketMemory, type WebSocketMemoryResult } from './websocket-memory/measure.ts'

const GOALS = { throughputRatio: 0.85, memoryRatio: 1.25 }
export const FULL = { http: { seconds: 2, rounds: 25 }, websocket: { sockets: 9_000, rounds: 7 } }
export const SMOKE = { http: { seconds: 1, rounds: 1 }, websocket: { sockets: 300, rounds: 1 } }

/** What the kernel costs against the bare engine, side by side in one run. */
export async function benchKernel(smoke: boolean): Promise<void> {
  const sizes = smoke ? SMOKE : FULL
  console.log('HTTP: an empty validated route, bare Fastify and the kernel in turns …')
  const http = await measureHttp(sizes.http)
  console.log('WebSocket: memory of idle connections, bare ws and the kernel in turns …')
  const websocket = await measureWebSocketMemory(sizes.websocket)
  const report = kernelReport(http, websocket)
  console.log(`\n${report}`)
  if (smoke) return
  await writeFile(new URL('../../docs/benchmarks/kernel.md', import.meta.url), report)
  console.log('written to docs/benchmarks/kernel.md')
}

export function kernelReport(http: HttpResult, websocket: WebSocketMemoryResult): string {
  const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`
  return `# What the kernel costs

Written by \`pnpm bench kernel\`, both sides in one run. ${describeMachine()}

## HTTP: an empty validated route

Parameters, query and answer validated by the same schema; ${http.rounds} rounds in turns, medians. The kernel's side has
everything a real process has: guards, security headers, request ids, metrics, deadlines, a log.

| | bare Fastify | kernel | kernel / bare | goal |
|---|---|---|---|---|
| requests per second | ${http.bare.requestsPerSecond.toFixed(0)} | ${http.kernel.requestsPerSecond.toFixed(0)} | **${http.throughputRatio.toFixed(2)}** | ≥ ${GOALS.throughputRatio} |
| p99 | ${http.bare.p99Ms.toFixed(1)} ms | ${http.kernel.p99Ms.toFixed(1)} ms | ${(http.kernel.p99Ms / http.bare.p99Ms).toFixed(2)} | |
| CPU per request | ${http.bare.cpuMicrosecondsPerRequest.toFixed(1)} µs | ${http.kernel.cpuMicrosecondsPerRequest.toFixed(1)} µs | ${http.cpuRatio.toFixed(2)} | |

## WebSocket: memory of an idle connection

${websocket.sockets} idle connections, ${websocket.rounds} rounds in turns, medians, after a garbage collection.

| | bare ws | kernel | kernel / bare | goal |
|---|---|---|---|---|
| resident memory | ${kilobytes(websocket.bare.rssBytes)} | ${kilobytes(websocket.kernel.rssBytes)} | **${websocket.rssRatio.toFixed(2)}** | ≤ ${GOALS.memoryRatio} |
| JavaScript heap | ${kilobytes(websocket.bare.heapBytes)} | ${kilobytes(websocket.kernel.heapBytes)} | ${websocket.heapRatio.toFixed(2)} | |
`
}
