import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** The numbers in the cells of the report's row of this name. */
function numbersOf(report: string, name: string): number[] {
  const row = report.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? ''
  return [...row.slice(name.length + 4).matchAll(/-?\d+(?:\.\d+)?/g)].map(([text]) => Number(text))
}

test('[BN-10] the identity bench measures every operation, streams and wake-ups on all sides', async () => {
  const { stdout } = await run(process.execPath, [main, 'identity', '--smoke'])
  for (const name of ['create', 'poll, with a verifier', 'poll, bare', 'link']) {
    const [loop, pgbench, server, ratio] = numbersOf(stdout, name)
    // Too short to judge, but a side that did not run would be 0 or not a number.
    expect([loop, pgbench, server], `rates of ${name}`).toSatisfy((rates: number[]) =>
      rates.every((rate) => rate > 1),
    )
    expect(ratio, `ratio of ${name}`).toSatisfy((value: number) => value > 0.001 && value < 10)
  }
  expect(numbersOf(stdout, 'JavaScript heap of a stream').slice(0, 3)).toSatisfy((sizes: number[]) =>
    sizes.every((size) => size > 1 && size < 100),
  )
  expect(numbersOf(stdout, 'p99, from the approval sent')).toSatisfy(
    (times: number[]) => times.length === 6 && times.every((time) => time > 0 && time < 10_000),
  )
  expect(stdout).not.toContain('written to')
}, 180_000)
