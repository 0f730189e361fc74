/** A node as a process of its own, so that a test can kill it. Prints its address, and lives until then. */
import { openBus, startControlNode } from './start-control.ts'

const [databaseUrl = '', folder = '', redisUrl = '', node = ''] = process.argv.slice(2)
const started = await startControlNode({ databaseUrl, folder, node, bus: await openBus(redisUrl, node) })
process.stdout.write(`listening on ${started.url}\n`)
