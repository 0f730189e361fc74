import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

test('[BN-50] the bench of files measures copies, pulls, listing and reading on all sides', async () => {
  const { stdout } = await run(process.execPath, [main, 'files', '--smoke'])
  const figures = (row: RegExp) =>
    stdout
      .split('\n')
      .find((line) => row.test(line))
      ?.split(' | ')
      .slice(1, 4)
  // Too short to judge, but a side that did not run would be 0 or not a number.
  for (const row of [/^\| whole tree \|/, /^\| pages of 200 files/, /^\| files of 4 KiB/])
    expect(figures(row)?.map((cell) => Number.parseFloat(cell.replaceAll(/[*,]/g, '')))).toSatisfy(
      (values: number[]) => values.length === 3 && values.every((value) => value > 0),
    )
  expect(stdout).toMatch(/without changes: <!-- pull -->\*\*\d+ ms/)
  expect(stdout).not.toContain('written to')
}, 300_000)
