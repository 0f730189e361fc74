// `pnpm dev`: as `patchbay dev`, with pages that change while somebody works on them.
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
const { runDevelopment } = await import('@patchbay/dev')
console.log('  Loading the web app…')
const { webConfig } = await import('@patchbay/web/vite.config')
const { createServer } = await import('vite')
// pnpm passes the `--` of `pnpm dev -- --data …` on.
const given = process.argv.slice(2)
const args = given[0] === '--' ? given.slice(1) : given
const { values } = parseArgs({ args, options: { data: { type: 'string' } } })

await runDevelopment(
  {
    environment: process.env,
    folder: resolve(values.data ?? fileURLToPath(new URL('../../.patchbay', import.meta.url))),
    print: (text) => console.log(text),
    commands: { dev: 'pnpm dev', patchbay: 'pnpm --silent patchbay' },
    async serveWebApp({ port, serverUrl }) {
      const web = webConfig({ serverUrl })
      const server = { ...web.server, port, strictPort: true }
      const vite = await createServer({ ...web, server, logLevel: 'warn' })
      return await vite.listen()
    },
  },
  (text) => {
    console.error(text)
    process.exit(1)
  },
)
