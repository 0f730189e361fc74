import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const PLANTED = fileURLToPath(new URL('./depth', import.meta.url))

/** The names of the tests that a run of the planted file has. */
async function ran(environment: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-depth-'))
  try {
    const { PATCHBAY_DEEP: _depth, ...rest } = process.env
    const report = join(folder, 'results.json')
    await run('pnpm', ['exec', 'vitest', 'run', '--reporter=json', `--outputFile=${report}`], {
      cwd: PLANTED,
      env: { ...rest, ...environment },
    })
    const { testResults } = JSON.parse(await readFile(report, 'utf8')) as {
      testResults: { assertionResults: { fullName: string }[] }[]
    }
    return testResults.flatMap(({ assertionResults }) => assertionResults.map(({ fullName }) => fullName))
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('[TK-106] the deep run has tests that the common one has not, counts further and holds times', async () => {
  expect(await ran({})).toEqual(['always, 3 times', 'within 10000 ms', 'common alone'])
  expect(await ran({ PATCHBAY_DEEP: '1' })).toEqual([
    'always, 1000 times',
    'within 500 ms',
    'deep alone',
    'deep for each of 1',
    'deep for each of 2',
    'deep where it can be had',
  ])
})
