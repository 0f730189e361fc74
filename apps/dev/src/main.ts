import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const OLDEST_NODE = 24

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  console.error(`Patchbay needs Node ${OLDEST_NODE} or newer; this is ${process.version}.`)
  process.exit(1)
}

// Loaded late: an older Node could not even read it.
const { develop } = await import('./develop.ts')
// pnpm passes the `--` of `pnpm dev -- --data …` on.
const given = process.argv.slice(2)
const args = given[0] === '--' ? given.slice(1) : given
const { values } = parseArgs({ args, options: { data: { type: 'string' } } })
const folder =
  values.data === undefined
    ? fileURLToPath(new URL('../../../.patchbay', import.meta.url))
    : resolve(values.data)
await develop({ environment: process.env, folder }).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
