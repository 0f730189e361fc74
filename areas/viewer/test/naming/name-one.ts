import { createLog, Secret } from '@patchbay/kernel/log'
import type { NamingConfig } from '../../src/naming/config.ts'
import { createNaming } from '../../src/naming/naming.io.ts'

/** One search in a process of its own. Says what came of it as its last words, and then has nothing more to do. */
const [, , original = '', baseUrl] = process.argv
const config: NamingConfig =
  baseUrl === undefined
    ? { kind: 'text' }
    : {
        kind: 'model',
        provider: 'openai',
        model: 'm',
        baseUrl,
        apiKey: new Secret('key'),
        deadlineMs: 60_000,
      }
const naming = createNaming(config, {
  log: createLog({ level: 'silent', process: 'test' }),
  limits: { readDeadlineMs: 90_000, idleMs: 600_000 },
})

let busiestMs = 0
let last = process.threadCpuUsage()
const watch = setInterval(() => {
  const used = process.threadCpuUsage(last)
  last = process.threadCpuUsage()
  busiestMs = Math.max(busiestMs, (used.user + used.system) / 1000)
}, 1)

const answer = await naming.suggest(
  { optimized: original, original, title: undefined },
  new AbortController().signal,
)
clearInterval(watch)
process.stdout.write(JSON.stringify({ answer, busiestMs }))
// The naming is left open on purpose: its thread must not keep this process alive.
