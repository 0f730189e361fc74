import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** The cells of every row of the section's table, by the row's name. */
function tableOf(report: string, section: string): Map<string, string[]> {
  const part = report.split(`## ${section}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = [...part.matchAll(/^\| ([^|]+?) \| (.*) \|$/gm)]
  return new Map(rows.map(([, name = '', cells = '']) => [name, cells.split(' | ')]))
}

test('[BN-3] the gateway bench measures every ratio on all sides', async () => {
  const { stdout } = await run(process.execPath, [main, 'gateway', '--smoke'])
  const rows = {
    'Callbacks, as a balancer spreads them': ['callbacks per second', 'p50', 'p99'],
    'Callbacks that all cross nodes': ['callbacks per second', 'p99'],
    'Latency at a steady rate': ['p50', 'p99'],
    Registering: ['registers per second', 'p99'],
    'The whole flow': ['flows per second'],
    'Memory of idle sockets': ['JavaScript heap of a socket', 'the whole process'],
  }
  for (const [section, names] of Object.entries(rows)) {
    const table = tableOf(stdout, section)
    for (const name of names) {
      const ratios =
        table
          .get(name)
          ?.slice(3, 5)
          .map((cell) => Number(cell.replaceAll('*', ''))) ?? []
      // Too short to judge, but a side that did not run would be 0, infinite or not a number.
      expect(ratios, `${section}, ${name}`).toSatisfy(
        (values: number[]) => values.length === 2 && values.every((value) => value > 0.01 && value < 100),
      )
    }
  }
  expect([...tableOf(stdout, 'Cost against pending registrations').keys()]).toEqual(
    expect.arrayContaining(['100', '1,000']),
  )
  expect(stdout).not.toContain('written to')
}, 120_000)
