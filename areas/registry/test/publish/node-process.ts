/** A node as a process of its own, so that a test can kill it. Prints its address, and lives until then. */
import { systemClock } from '@patchbay/kernel/clock'
import { NO_INDEXER, startRegistryNode } from '../start.ts'

const [databaseUrl, folder] = process.argv.slice(2)
// Without arguments it ends at once, and leaves its compiled modules in the cache for those that follow.
if (databaseUrl !== undefined && folder !== undefined) {
  const node = await startRegistryNode({ databaseUrl, folder, clock: systemClock, indexer: NO_INDEXER })
  process.stdout.write(`listening on ${node.url}\n`)
}
