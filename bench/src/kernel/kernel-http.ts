// The kernel's factory with everything a real process has: guards, headers, metrics, deadlines, a log.
import { createInProcessBus } from '@patchbay/kernel/bus'
import { systemClock } from '@patchbay/kernel/clock'
import { createHttp, on } from '@patchbay/kernel/http'
import { createLog } from '@patchbay/kernel/log'
import { createMetrics } from '@patchbay/kernel/metrics'
import { emptyRoute } from './route.ts'

const { rateLimit } = createInProcessBus({ node: 'bench', clock: systemClock })
const { app } = createHttp({
  info: { title: 'Bench', version: '0', description: '' },
  node: 'bench',
  log: createLog({ level: 'info', process: 'bench' }),
  metrics: createMetrics('bench'),
  checks: [],
  allowedHosts: ['127.0.0.1'],
  allowedOrigins: [],
  trustedProxies: [],
  rateLimits: { shared: rateLimit, local: rateLimit },
})
app.route({ ...on(emptyRoute), handler: async (request) => ({ id: request.params.id, ok: true }) })
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) })
