import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { CLI } from './user.ts'

const run = promisify(execFile)
const SOURCES = fileURLToPath(new URL('../src/main.ts', import.meta.url))

test('[TK-108] the command of a test is one bundle, and does what its sources do', async () => {
  const reference = ['config', 'reference']
  const [bundled, again, sources] = await Promise.all(
    [CLI, CLI, SOURCES].map(async (main) => (await run(process.execPath, [main, ...reference])).stdout),
  )
  expect(sources).toContain('PATCHBAY_PORT')
  expect([bundled, again]).toEqual([sources, sources])
  const made = join(process.env['TEST_COMMAND_FOLDER'] ?? '', 'command/main.js')
  expect((await stat(made)).isFile()).toBe(true)
})
