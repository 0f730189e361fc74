import { createInProcessBus } from '../../src/bus/index.ts'
import { systemClock } from '../../src/clock/index.ts'
import { createHttp, type Http, type HttpOptions } from '../../src/http/index.ts'
import { createLog } from '../../src/log/index.ts'
import { createMetrics } from '../../src/metrics/index.ts'

export interface TestHttp extends Http, AsyncDisposable {
  readonly lines: string[]
  listen(): Promise<string>
}

/** The factory as a process uses it, with its log lines kept. Routes are added before the first request. */
export function startHttp(overrides: Partial<HttpOptions> = {}): TestHttp {
  const lines: string[] = []
  const log = createLog({
    level: 'debug',
    process: 'test',
    node: 'n1',
    destination: { write: (line) => lines.push(line) },
  })
  const { rateLimit } = createInProcessBus({ node: 'n1', clock: systemClock })
  const http = createHttp({
    info: { title: 'Test', version: '1.2.3', description: 'A test' },
    node: 'n1',
    log,
    metrics: createMetrics('test'),
    checks: [],
    allowedHosts: ['localhost', '127.0.0.1'],
    allowedOrigins: ['http://localhost:8790'],
    trustedProxies: [],
    rateLimits: { shared: rateLimit, local: rateLimit },
    ...overrides,
  })
  return {
    ...http,
    lines,
    listen: () => http.app.listen({ host: '127.0.0.1', port: 0 }),
    [Symbol.asyncDispose]: () => http.drain(1_000),
  }
}
