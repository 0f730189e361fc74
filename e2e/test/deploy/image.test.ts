import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, matchesGlob, relative } from 'node:path'
import { deepTest } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { run } from './commands.ts'
import { readImageEnvironment, readStages, textOf } from './dockerfile.ts'
import { ROOT, readText } from './files.ts'
import { GATEWAY_PORT, readGatewayConfig } from './gateway-config.ts'
import { tryHealthCheck } from './health-check.ts'
import { PAGES_PORT, readServerConfig, SERVER_PORT } from './server-config.ts'

const PRODUCTION_ONLY = join(import.meta.dirname, 'production-only.ts')
const stages = await readStages('deploy/Dockerfile')
const runtime = stages.get('runtime')
const DATABASE_URL = 'postgres://patchbay:secret@127.0.0.1/patchbay'

test('[DP-101] the image sets what the server accepts, and opens it to the network of its container', async () => {
  const config = readServerConfig({ DATABASE_URL }, await readImageEnvironment())
  expect(config).toMatchObject({ host: '0.0.0.0', objectsUrl: 'file:///var/lib/patchbay/objects' })
})

test('[DP-300] the image sets what the gateway accepts, and opens it to the network of its container', async () => {
  const image = await readImageEnvironment()
  // Open to a network, the operator chooses how codes are delivered; the image does not.
  expect(() => readGatewayConfig({}, image)).toThrow(/PATCHBAY_GATEWAY_DELIVERY/)
  expect(readGatewayConfig({ PATCHBAY_GATEWAY_DELIVERY: 'confirm' }, image)).toMatchObject({
    host: '0.0.0.0',
  })
})

test("[DP-103] the image exposes the server's port and its health check asks /health there", async () => {
  expect(textOf(runtime, 'EXPOSE').split(' ')).toContain(String(SERVER_PORT))
  expect((await readImageEnvironment())['PATCHBAY_PORT']).toBe(String(SERVER_PORT))
  expect(healthCommand().join(' ')).toContain("process.env.PATCHBAY_PORT + '/health'")
})

test("[DP-302] the image exposes the gateway's port too", () => {
  expect(textOf(runtime, 'EXPOSE')).toBe(`${SERVER_PORT} ${PAGES_PORT} ${GATEWAY_PORT}`)
})

test('[DP-111] server and gateway load nothing but production dependencies', async () => {
  const start = async (args: readonly string[], settings: Record<string, string> = {}) => {
    const compiled = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }
    const env = { ...(await readImageEnvironment()), ...compiled, ...settings }
    return (await run(process.execPath, ['--import', PRODUCTION_ONLY, ...args], { cwd: ROOT, env })).code
  }
  const [, ...entry] = commandOf('ENTRYPOINT')
  const codes = await Promise.all([
    start([...entry, ...commandOf('CMD'), '--check-config'], { DATABASE_URL }),
    start([...entry, 'gateway', '--check-config'], { PATCHBAY_GATEWAY_DELIVERY: 'confirm' }),
    start(['--input-type=module', '--eval', 'import "vitest"']),
  ])
  expect(codes).toEqual([0, 0, 1])
}, 120_000)

deepTest(
  '[DP-111] the production tree starts the command line, for server and gateway',
  {
    timeout: 60_000,
  },
  async () => {
    await using context = await copyContext()
    const [, install = ''] = /(pnpm install .*)$/.exec(textOf(stages.get('production'), 'RUN')) ?? []
    expect(install).toContain('--frozen-lockfile')
    // Offline and from the store of this checkout, which has all it needs; on another file system pnpm would look elsewhere.
    const store = await run('pnpm', ['store', 'path'], { cwd: ROOT })
    const args = install
      .replace('--store-dir /pnpm/store', `--offline --store-dir ${store.output.trim()}`)
      .replaceAll('"', '')
      .split(' ')
      .slice(1)
    expect(await run('pnpm', args, { cwd: context.folder })).toMatchObject({ code: 0 })

    const [node = '', ...entry] = commandOf('ENTRYPOINT')
    expect(node).toBe('node')
    const checked = await run(process.execPath, [...entry, ...commandOf('CMD'), '--check-config'], {
      cwd: context.folder,
      env: { ...(await readImageEnvironment()), DATABASE_URL },
    })
    expect(checked).toMatchObject({ code: 0, output: expect.stringContaining('server is sound') })
    const gateway = await run(process.execPath, [...entry, 'gateway', '--check-config'], {
      cwd: context.folder,
      env: { ...(await readImageEnvironment()), PATCHBAY_GATEWAY_DELIVERY: 'confirm' },
    })
    expect(gateway).toMatchObject({ code: 0, output: expect.stringContaining('gateway is sound') })
    const installed = await readdir(join(context.folder, 'node_modules/.pnpm'))
    expect(
      installed.filter((name) => /^(vitest|playwright-core|oidc-provider|vite|typescript)@/.test(name)),
    ).toEqual([])
  },
)

test('[DP-112] the last stage drops root by number and starts the server as process 1', () => {
  expect([...stages.keys()].at(-1)).toBe('runtime')
  expect(textOf(runtime, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  expect(commandOf('ENTRYPOINT')).toEqual(['node', 'apps/cli/src/main.ts'])
  expect(commandOf('CMD')).toEqual(['server'])
  expect(textOf(runtime, 'STOPSIGNAL')).toBe('SIGTERM')
})

test.for([
  { answer: 200, code: 0 },
  { answer: 503, code: 1 },
])('[DP-113] the health check ends with $code on $answer', async ({ answer, code }) => {
  expect(await tryHealthCheck(answer, checkHealth)).toEqual({ asked: ['/health'], code, codeWithoutNode: 1 })
})

test('[DP-114] history, secrets, installed and built files and tests stay out of the image', async () => {
  const ignored = await readIgnored()
  const out = [
    '.git',
    '.env',
    '.patchbay',
    'node_modules',
    'apps/cli/node_modules',
    'apps/web/dist',
    'areas/panels/test',
  ]
  const needed = [
    'package.json',
    'pnpm-lock.yaml',
    'e2e/package.json',
    'apps/cli/src/main.ts',
    'apps/web/vite.config.ts',
  ]
  expect(out.filter((path) => !ignored(path))).toEqual([])
  expect(needed.filter(ignored)).toEqual([])
})

function commandOf(instruction: string): string[] {
  const words: string[] = JSON.parse(textOf(runtime, instruction))
  return words
}

function healthCommand(): string[] {
  const words: string[] = JSON.parse(textOf(runtime, 'HEALTHCHECK').replace(/^.*?CMD /, ''))
  return words
}

function checkHealth(port: number) {
  return run(process.execPath, healthCommand().slice(1), { env: { PATCHBAY_PORT: String(port) } })
}

async function readIgnored(): Promise<(path: string) => boolean> {
  const lines = (await readText('.dockerignore')).split('\n')
  const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'))
  return (path) => patterns.some((pattern) => matchesGlob(path, pattern))
}

/** What `COPY . .` would copy. */
async function copyContext() {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-image-'))
  const ignored = await readIgnored()
  await cp(ROOT, folder, { recursive: true, filter: (source) => !ignored(relative(ROOT, source)) })
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
