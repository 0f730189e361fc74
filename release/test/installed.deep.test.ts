import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@patchbay/testkit/ports'
import { startPostgres } from '@patchbay/testkit/postgres'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PackedPackage, packAll } from '../src/packages.ts'

const run = promisify(execFile)

let folder: string
let packed: readonly PackedPackage[]

// What `pnpm build` made is packed and installed by npm, as on a machine that has never seen the checkout.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patchbay-installed-'))
  packed = await packAll(join(folder, 'packed'))
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  const files = packed.map(({ file }) => file)
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...files], { cwd: folder })
}, 600_000)

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const environment = (more: Record<string, string> = {}) => ({
  HOME: folder,
  PATH: process.env['PATH'] ?? '',
  ...more,
})

const command = () => join(folder, 'node_modules/.bin/patchbay')

test('[RL-1] every package that is not private is packed, with its license and README', async () => {
  const listed = await Promise.all(
    packed.map(async ({ name, file }) => {
      const { stdout } = await run('tar', ['tzf', file])
      const names = stdout.split('\n')
      return [name, ...['LICENSE', 'README.md'].filter((each) => names.includes(`package/${each}`))]
    }),
  )
  expect(listed.map(([name]) => name)).toContain('@patchbay/cli')
  expect(listed.filter((each) => each.length < 3)).toEqual([])
})

test('[RL-3] the command finds the processes, and each checks its configuration', async () => {
  const { stdout } = await run(command(), ['openapi'], { env: environment(), maxBuffer: 10_000_000 })
  expect(JSON.parse(stdout)).toHaveProperty('openapi', '3.1.0')
  for (const words of [['gateway'], ['watchdog', 'run'], ['viewer']])
    await run(command(), [...words, '--check-config'], { env: environment() })
})

test('[RL-3] the installed server migrates its database, serves its pages and answers', async () => {
  await using postgres = await startPostgres()
  const port = await freePort()
  await using server = startProcess(process.execPath, [command(), 'server'], {
    env: environment({
      DATABASE_URL: await postgres.createDatabase('installed'),
      PATCHBAY_PORT: String(port),
      PATCHBAY_PROXY_URL: 'off',
      PATCHBAY_OBJECTS_URL: pathToFileURL(join(folder, 'objects')).href,
    }),
  })
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: 'text/html' } })
  const isReady = () =>
    ask('/ready').then(
      ({ ok }) => ok,
      () => false,
    )
  await waitUntil('the server is ready', isReady, { deadlineMs: 120_000 }).catch((cause: unknown) => {
    throw new Error(server.output(), { cause })
  })
  expect(await (await ask('/')).text()).toContain('<div id="root">')
  expect((await ask('/registry/search')).status).toBe(200)
})

test('[RL-3] the server needs few packages of strangers, and nothing of the viewer', async () => {
  const server = await readdir(join(folder, 'node_modules/@patchbay/server/node_modules/@patchbay'))
  const parts = ['boards', 'content', 'devices', 'identity', 'kernel', 'panels', 'registry']
  expect(server.toSorted()).toEqual(parts)
  const text = await readFile(join(folder, 'node_modules/@patchbay/server/package.json'), 'utf8')
  expect(text).not.toMatch(/sharp|tesseract|openai|anthropic/)
})
