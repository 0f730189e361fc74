import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** The numbers in the cells of each row of this name. */
function numbersOf(report: string, name: string): number[][] {
  const rows = report.split('\n').filter((line) => line.startsWith(`| ${name} |`))
  return rows.map((row) =>
    [...row.slice(name.length + 4).matchAll(/-?\d+(?:\.\d+)?/g)].map(([text]) => Number(text)),
  )
}

test('[BN-30] the panels bench measures round trips and memory on all sides', async () => {
  const { stdout } = await run(process.execPath, [main, 'panels', '--smoke'])
  for (const name of ['p50', 'p99', 'actions per second']) {
    const rows = numbersOf(stdout, name)
    expect(rows).toHaveLength(2)
    // Too short to judge, but a side that did not run would be 0 or not a number.
    for (const [bare, statements, server, ratio] of rows)
      expect([bare, statements, server, ratio]).toSatisfy((values: number[]) =>
        values.every((value) => value > 0.01),
      )
  }
  const [heap] = numbersOf(stdout, 'JavaScript heap of an open workspace')
  expect(heap).toSatisfy((sizes: number[]) => sizes.length === 3 && sizes.every((size) => size > 0.5))
  expect(stdout).not.toContain('written to')
}, 180_000)
