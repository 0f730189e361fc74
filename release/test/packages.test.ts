import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installPacked } from '@patchbay/testkit/packed'
import { expect, test } from 'vitest'
import { packProcess } from '../src/packages.ts'
import { ROOT } from '../src/workspace.ts'

const run = promisify(execFile)
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

test('[RL-1] nothing is published by accident', async () => {
  const failure = await run(process.execPath, [MAIN]).catch(
    (error: unknown) => error as { code: number; stderr: string },
  )
  expect(failure).toMatchObject({ code: 2, stderr: expect.stringContaining('--dry-run') })
})

test('[RL-11] an image that there is not is refused before anything is packed', async () => {
  const failure = await run(process.execPath, [MAIN, '--dry-run', '--image', 'serve=sha256:0']).catch(
    (error: unknown) => error as { code: number; stderr: string },
  )
  expect(failure).toMatchObject({ code: 2, stderr: expect.stringContaining('--image server=') })
})

test('[RL-1][RL-3] a packed process runs with the packed command, and has what it needs with it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-packed-process-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  // Builds what is not built yet.
  await installPacked('cli', folder)
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['-b', join(ROOT, 'apps/gateway')])
  const { file, sha256 } = await packProcess('@patchbay/gateway-app', folder)
  expect(sha256).toMatch(/^[0-9a-f]{64}$/)
  const home = join(folder, 'node_modules/@patchbay/gateway-app')
  await mkdir(home, { recursive: true })
  await run('tar', ['xzf', file, '--strip-components=1', '-C', home])
  const manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  // The packages of strangers are taken from where they are installed here; npm itself is in the deep run.
  for (const name of Object.keys(manifest.dependencies).filter((each) => !each.startsWith('@patchbay/')))
    await linkOnce(name, folder)
  const command = join(folder, 'node_modules/@patchbay/cli/dist/main.js')
  const env = { HOME: folder, PATH: process.env['PATH'] ?? '' }
  await run(process.execPath, [command, 'gateway', '--check-config'], { env })
  const { stdout } = await run(process.execPath, [command, 'openapi', 'gateway'], { env })
  expect(JSON.parse(stdout)).toHaveProperty('info.title')
}, 240_000)

async function linkOnce(name: string, folder: string): Promise<void> {
  const place = join(folder, 'node_modules', name)
  const isThere = await stat(place).then(
    () => true,
    () => false,
  )
  if (isThere) return
  const homes = ['packages/kernel', 'areas/gateway', 'apps/gateway', 'packages/contracts']
  for (const home of homes) {
    const found = await realpath(join(ROOT, home, 'node_modules', name)).catch(() => undefined)
    if (found === undefined) continue
    await mkdir(dirname(place), { recursive: true })
    await symlink(found, place)
    return
  }
  throw new Error(`${name} is not installed here`)
}
