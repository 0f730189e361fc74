// A process with one part, as a test drives it: its argument says how the part behaves when it is stopped.
import { setTimeout as sleep } from 'node:timers/promises'
import { Lifecycle, notifySystemd, runUntilSignal } from '../../src/lifecycle/index.ts'
import { createLog } from '../../src/log/index.ts'

const behavior = process.argv[2]
const log = createLog({ level: 'info', process: 'small' })
const lifecycle = new Lifecycle(log)
await lifecycle.start(
  'part',
  async () => setInterval(() => {}, 1_000),
  async (timer) => {
    if (behavior === 'hang') await sleep(60_000)
    clearInterval(timer)
  },
)
runUntilSignal(process, lifecycle, log, 300)
notifySystemd(process.env, log)
log.info('started')
if (behavior === 'reject') void Promise.reject(new Error('nobody waits for me'))
