import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deepTest, sample } from '@patchbay/testkit/depth'
import { packPackage } from '@patchbay/testkit/packed'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { expect, test } from 'vitest'
import { ROOT, readWorkspace } from '../src/workspace.ts'

const run = promisify(execFile)
const ATTW = join(ROOT, 'release/node_modules/.bin/attw')
const published = [...readWorkspace().values()].filter(({ manifest }) => manifest.private !== true)

test('[RL-4] there are libraries to look at', () => {
  expect(published.length).toBeGreaterThan(8)
})

test.each(published.map(({ manifest }) => manifest.name))(
  '[RL-4] publint finds nothing in %s',
  async (name) => {
    const packed = await packPackage(name.replace('@patchbay/', ''))
    const { messages, pkg } = await publint({ pkgDir: packed, level: 'suggestion', pack: false })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
  },
  240_000,
)

// The command has no types: nobody imports it.
deepTest.each(
  sample(published.map(({ manifest }) => manifest.name).filter((name) => name !== '@patchbay/cli')),
)(
  '[RL-4] the types of %s are where every resolver looks',
  async (name) => {
    const packed = await packPackage(name.replace('@patchbay/', ''))
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-attw-'))
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => rm(folder, { recursive: true, force: true }))
    const archive = join(folder, 'package.tgz')
    await run('tar', ['czf', archive, '--transform', 's,^\\.,package,', '-C', packed, '.'])
    // All our packages are ES modules: what only other kinds of importers miss is left out.
    const judged = await run(ATTW, [
      archive,
      '--profile',
      'esm-only',
      '--format',
      'ascii',
      '--no-color',
    ]).then(
      () => 'clean',
      (error: unknown) => (error as { readonly stdout: string }).stdout,
    )
    expect(judged).toBe('clean')
  },
  240_000,
)
