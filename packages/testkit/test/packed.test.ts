import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { installPacked, packPackage } from '../src/packed.ts'

const run = promisify(execFile)

test('[TK-107] a package is packed once, and installed with what it depends on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-packed-test-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const [packed, again, manifest] = await Promise.all([
    packPackage('client'),
    packPackage('client'),
    installPacked('client', folder),
  ])
  expect(again).toBe(packed)
  const { ino } = await stat(packed)
  expect((await stat(await packPackage('client'))).ino).toBe(ino)
  expect(manifest.name).toBe('@patchbay/client')
  // What only a workspace understands has been replaced.
  expect(manifest.dependencies?.['@patchbay/contracts']).toMatch(/^\d/)
  await writeFile(
    join(folder, 'use.mjs'),
    "import { login } from '@patchbay/client'\nconsole.log(typeof login, import.meta.resolve('@patchbay/client'))\n",
  )
  const { stdout } = await run(process.execPath, ['use.mjs'], { cwd: folder })
  expect(stdout).toMatch(/^function file:.*\/node_modules\/@patchbay\/client\/dist\//)
}, 240_000)
