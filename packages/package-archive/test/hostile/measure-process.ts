import { extractArchive, inspectArchive } from '../../src/index.ts'

/** Extracts and inspects one archive, and prints what that cost. A process of its own: memory is the process's. */
const [file = '', into = '', limits = '{}'] = process.argv.slice(2)
const options = JSON.parse(limits) as object
globalThis.gc?.()
const before = process.memoryUsage().rss
let peak = before
let written = 0
const sampler = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss)
}, 1)
const reasonOf = (error: unknown) => (error as { reason?: string }).reason ?? String(error)
const extracted = await extractArchive(file, {
  into,
  identifier: 'com.example.blinky',
  limits: options,
  onProgress: (bytes) => {
    written = bytes
  },
}).then(() => 'accepted', reasonOf)
const inspected = await inspectArchive(file, { limits: options }).then(() => 'accepted', reasonOf)
clearInterval(sampler)
peak = Math.max(peak, process.memoryUsage().rss)
process.stdout.write(JSON.stringify({ extracted, inspected, written, grown: peak - before }))
