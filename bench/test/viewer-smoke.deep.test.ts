import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

test('[BN-40] the viewer bench measures pastes on both sides', async () => {
  const { stdout } = await run(process.execPath, [main, 'viewer', '--smoke'])
  const rows = stdout.split('\n').filter((line) => /^\| (?:one paste|\d pastes at once) \|/.test(line))
  expect(rows).toHaveLength(2)
  // Too short to judge, but a side that did not run would be 0 or not a number.
  for (const cells of rows.map((line) => line.split(' | ').slice(1, 3).map(Number.parseFloat)))
    expect(cells).toSatisfy((times: number[]) => times.every((time) => time > 10))
  expect(stdout).toMatch(/nobody else was <!-- block -->\*\*\d+\.\d ms/)
  expect(stdout).not.toContain('written to')
}, 120_000)
