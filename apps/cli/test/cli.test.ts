import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@patchbay/testkit/ports'
import { startProcess, waitUntil, withCompiledCode } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { CLI, createUser, type Outcome } from './user.ts'

const run = promisify(execFile)

/** The program as a process, for what only that shows: how it begins and how it ends. */
async function spawnPatchbay(...args: string[]): Promise<Outcome> {
  const env = withCompiledCode({ PATH: process.env['PATH'] })
  return await run(process.execPath, [CLI, ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Outcome) => error,
  )
}

async function patchbay(...args: string[]): Promise<Outcome> {
  return await patchbayWith({}, ...args)
}

async function patchbayWith(environment: Record<string, string>, ...args: string[]): Promise<Outcome> {
  await using ada = await createUser()
  return await ada.runWith(environment, ...args)
}

test.each([[], ['--help']])('[CLI-1] %j says what there is', async (...args) => {
  const { code, stdout, stderr } = await spawnPatchbay(...args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/Usage: patchbay[\s\S]*server[\s\S]*Examples:/)
})

test.each([
  [['serv'], /unknown command 'serv'[\s\S]*Did you mean .*\bserver\b/],
  [['server', '--chek-config'], /unknown option '--chek-config'[\s\S]*Did you mean --check-config/],
  [['config', 'nothing'], /unknown command 'nothing'/],
  [['openapi', 'nothing'], /no process "nothing": server, gateway, watchdog, viewer/],
  [['messages', 'server'], /no process "server" with messages: gateway, viewer/],
  [['watchdog', 'auto', 'maybe'], /"on" or "off", not "maybe"/],
  [['watchdog', 'stat'], /unknown command 'stat'; there are run, status, start/],
])('[CLI-2] %j is refused on standard error with exit code 2', async (args, words) => {
  const { code, stdout, stderr } = await patchbay(...args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(words)
  expect(stderr).not.toMatch(/\bat .*\.ts:\d+/)
})

test('[CLI-2] so it is from a process', async () => {
  const { code, stdout, stderr } = await spawnPatchbay('serv')
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/unknown command 'serv'/)
})

test('[CLI-3] server --check-config only checks', async () => {
  const { code, stderr } = await spawnPatchbay('server', '--check-config')
  expect(code).toBe(78)
  expect(stderr).toContain('DATABASE_URL: is not set')
})

test('[CLI-4] the reference and the document are printed', async () => {
  expect((await patchbay('config', 'reference')).stdout).toContain('| `DATABASE_URL` |')
  expect(JSON.parse((await patchbay('openapi')).stdout)).toMatchObject({ openapi: '3.1.0' })
})

test('[CLI-4] every process is in the reference, and has a document', async () => {
  const { stdout } = await patchbay('config', 'reference')
  for (const heading of ['## server', '## gateway', '## watchdog', '## viewer'])
    expect(stdout).toContain(heading)
  for (const [name, path] of [
    ['gateway', '/callback'],
    ['watchdog', '/restart'],
    ['viewer', '/api/pastes'],
  ] as const) {
    const document = JSON.parse((await patchbay('openapi', name)).stdout) as { paths: object }
    expect(Object.keys(document.paths)).toContain(path)
  }
  expect((await patchbay('messages')).stdout).toContain('### register')
  expect((await patchbay('messages', 'viewer')).stdout).toContain('### attention')
})

test('[S-9] the configuration reference in docs is the generated one', async () => {
  const committed = await readFile(
    new URL('../../../docs/reference/configuration.md', import.meta.url),
    'utf8',
  )
  const { stdout } = await patchbay('config', 'reference')
  expect(committed, 'run `pnpm -s patchbay config reference > docs/reference/configuration.md`').toBe(stdout)
})

test.each([
  ['gateway', ['gateway', '--check-config']],
  ['watchdog', ['watchdog', 'run', '--check-config']],
])(
  '[CLI-6] the configuration of the %s is checked with the variables of all processes',
  async (name, args) => {
    const shared = { DATABASE_URL: 'postgres://localhost/x', PATCHBAY_PORT: '1', PATCHBAY_WATCHDOG_PORT: '2' }
    const sound = await patchbayWith(
      { ...shared, PATCHBAY_GATEWAY_PORT: '3', PATCHBAY_GATEWAY_URL: 'http://localhost' },
      ...args,
    )
    expect(sound).toMatchObject({ code: 0, stdout: `The configuration of ${name} is sound.\n`, stderr: '' })
    const misspelled = await patchbayWith({ PATCHBAY_GATEWAY_PROT: '3' }, ...args)
    expect(misspelled.code).toBe(78)
    expect(misspelled.stderr).toMatch(
      /PATCHBAY_GATEWAY_PROT: is not a setting; did you mean PATCHBAY_GATEWAY_PORT/,
    )
  },
)

test('[CLI-176] a worker checks its configuration, and says what to install where KiCad is missing', async () => {
  const databaseUrl = { DATABASE_URL: 'postgres://127.0.0.1:1/x' }
  const sound = await patchbayWith(databaseUrl, 'worker', '--check-config')
  expect(sound).toMatchObject({ code: 0, stdout: 'The configuration of worker is sound.\n' })
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-cli-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const environment = { PATCHBAY_WORKER_KICAD: '/usr/bin/kicad-of-nobody', PATCHBAY_WORKER_FOLDER: folder }
  const missing = await patchbayWith({ ...databaseUrl, ...environment }, 'worker')
  expect(missing.code).toBe(78)
  expect(missing.stderr).toMatch(/is missing\. Install/)
})

test('[CLI-7] the watchdog and its gateway are started, shown and commanded', async () => {
  const [port, gatewayPort] = [await freePort(), await freePort()]
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-cli-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const environment = {
    PATCHBAY_WATCHDOG_PORT: String(port),
    PATCHBAY_GATEWAY_PORT: String(gatewayPort),
    PATCHBAY_WATCHDOG_STATE_DIR: join(folder, 'state'),
  }
  const nobody = await patchbayWith(environment, 'watchdog')
  expect(nobody).toMatchObject({ code: 69, stdout: '' })
  expect(nobody.stderr).toMatch(/No watchdog answers at .*\n.*patchbay watchdog run/)

  const { PATH = '' } = process.env
  await using _watchdog = startProcess(process.execPath, [CLI, 'watchdog', 'run'], {
    env: { PATH, ...environment },
    cwd: folder,
  })
  await waitUntil(
    'the gateway is healthy',
    async () => (await patchbayWith(environment, 'watchdog')).code === 0,
    { deadlineMs: 60_000 },
  )
  const shown = await patchbayWith(environment, 'watchdog', 'status')
  expect(shown.stdout).toMatch(new RegExp(`HEALTHY at http://127.0.0.1:${gatewayPort}[\\s\\S]*restarts +0`))
  const off = await patchbayWith(environment, 'watchdog', 'auto', 'off')
  expect(off.stdout).toMatch(/auto-restart +off/)
  const stopped = await patchbayWith(environment, 'watchdog', 'stop', '--url', `http://127.0.0.1:${port}`)
  expect(stopped).toMatchObject({ code: 0, stderr: '' })
  expect(stopped.stdout).toContain('STOPPED')
  await expect(fetch(`http://127.0.0.1:${gatewayPort}/health`)).rejects.toThrow()
}, 90_000)

test('[CLI-5] --version prints the version', async () => {
  expect((await spawnPatchbay('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})
