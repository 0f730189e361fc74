import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect, vi } from 'vitest'
import { CLI, createUser, type User } from './user.ts'

vi.setConfig({ testTimeout: 120_000 })

const ROUNDS = 5
const SEARCH = ['search', 'x', '--server', 'http://127.0.0.1:9']

function timeOf({ home }: User, ...args: string[]): number {
  const startedAt = performance.now()
  // No NODE_COMPILE_CACHE: the command is to care for that itself.
  spawnSync(process.execPath, args, { env: { HOME: home, PATH: process.env['PATH'] } })
  return performance.now() - startedAt
}

deepTest('[CLI-182] F11: help and the version come as fast as Node starts, ten times at most', async () => {
  await using ada = await createUser()
  const best = { node: Infinity, help: Infinity, version: Infinity }
  for (let round = 0; round < ROUNDS; round += 1) {
    best.node = Math.min(best.node, timeOf(ada, '-e', '0'))
    best.help = Math.min(best.help, timeOf(ada, CLI, '--help'))
    best.version = Math.min(best.version, timeOf(ada, CLI, '--version'))
  }
  expect(best.help / best.node).toBeLessThan(10)
  expect(best.version / best.node).toBeLessThan(10)
  expect(await readdir(ada.at('.cache/patchbay'))).toEqual(['compiled'])
  expect((await stat(ada.at('.cache/patchbay/compiled'))).mode & 0o777).toBe(0o700)
})

/** Prints the modules that a process has loaded when it ends. */
const LOADED = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  process.on('exit', () => console.log(JSON.stringify(loaded)))
`)}`

deepTest(
  '[CLI-182] F11: a search of a server loads neither archives nor signatures nor schemas of packages',
  async () => {
    await using ada = await createUser()
    const { stdout, status } = spawnSync(process.execPath, ['--import', LOADED, CLI, ...SEARCH], {
      env: { HOME: ada.home, PATH: process.env['PATH'] },
      encoding: 'utf8',
    })
    const loaded = JSON.parse(stdout) as string[]
    expect(status).toBe(69)
    expect(loaded.some((url) => url.includes('/install/search.ts'))).toBe(true)
    const heavy = /package-manager|package-archive|package-trust|node_modules\/(ajv|tuf-js|re2js)\//
    expect(loaded.filter((url) => heavy.test(url))).toEqual([])
  },
)

deepTest('[CLI-182] what others may write to is not taken for compiled code', async () => {
  await using ada = await createUser()
  const compiled = ada.at('.cache/patchbay/compiled')
  await mkdir(compiled, { recursive: true })
  await chmod(compiled, 0o777)
  timeOf(ada, CLI, '--help')
  expect(await readdir(compiled)).toEqual([])
  await chmod(compiled, 0o700)
  timeOf(ada, CLI, '--help')
  expect(await readdir(compiled)).not.toEqual([])
})

test('[CLI-182] F11: a home that cannot be written keeps no command from starting', async () => {
  const env = { HOME: '/dev/null/nobody', PATH: process.env['PATH'] }
  const { status, stderr } = spawnSync(process.execPath, [CLI, '--version'], { env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})
