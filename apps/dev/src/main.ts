import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const OLDEST_NODE = 24

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  console.error(`Patchbay needs Node ${OLDEST_NODE} or newer; this is ${process.version}.`)
  process.exit(1)
}

console.log('\n  Starting Patchbay…')
// Loaded late: an older Node could not even read it. In two steps, because either takes seconds on a slow machine.
console.log('  Loading the server…')
await import('@patchbay/server')
console.log('  Loading the web app…')
const { develop } = await import('./develop.ts')
// pnpm passes the `--` of `pnpm dev -- --data …` on.
const given = process.argv.slice(2)
const args = given[0] === '--' ? given.slice(1) : given
const { values } = parseArgs({ args, options: { data: { type: 'string' } } })
const folder =
  values.data === undefined
    ? fileURLToPath(new URL('../../../.patchbay', import.meta.url))
    : resolve(values.data)
await develop({ environment: process.env, folder, print: (text) => console.log(text) }).catch(
  async (error: unknown) => {
    const { startFailureWords } = await import('./start-failure.ts')
    console.error(`\n${await startFailureWords(error, folder)}`)
    process.exit(1)
  },
)
