import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

test('[BN-60] the bench of devices measures recording on all sides', async () => {
  const { stdout } = await run(process.execPath, [main, 'devices', '--smoke'])
  const figures = (row: RegExp, sides: number) =>
    stdout
      .split('\n')
      .find((line) => row.test(line))
      ?.split(' | ')
      .slice(1, sides + 1)
      .map((cell) => Number.parseFloat(cell.replaceAll(',', '')))
  expect(figures(/^\| rows a second \|/, 3)).toSatisfy((values: number[]) =>
    values.every((value) => value > 0),
  )
  expect(figures(/^\| values a second \|/, 2)).toSatisfy((values: number[]) =>
    values.every((value) => value > 0),
  )
  expect(stdout).not.toContain('written to')
}, 300_000)
