import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** The numbers in the cells of the report's row of this name. */
function numbersOf(report: string, name: string): number[] {
  const row = report.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? ''
  return [...row.slice(name.length + 4).matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([text]) =>
    Number(text.replaceAll(',', '')),
  )
}

/** Too short to judge, but a side that did not run would be 0 or not there. */
const areAll = (count: number, least: number, most: number) => (numbers: number[]) =>
  numbers.length >= count && numbers.slice(0, count).every((number) => number > least && number < most)

test('[BN-20] the registry bench measures validation, serving, downloading, publishing and reading on all sides', async () => {
  const { stdout } = await run(process.execPath, [main, 'registry', '--smoke'])
  expect(numbersOf(stdout, 'made up, three versions each')).toSatisfy(areAll(2, 10, 1e7))
  for (const name of ['packages.json, br', 'packages.json, gzip', 'repository.json'])
    expect(numbersOf(stdout, name), `rates of ${name}`).toSatisfy(areAll(4, 10, 1e7))
  for (const name of ['packages.json, 304', 'repository.json, 304'])
    expect(numbersOf(stdout, name).slice(1), `rates of ${name}`).toSatisfy(areAll(3, 10, 1e7))
  expect(numbersOf(stdout, 'package manager, to disk and checked')).toSatisfy(areAll(1, 0, 1e5))
  expect(numbersOf(stdout, '100'), 'publishing, not signed and signed').toSatisfy(areAll(2, 1, 60_000))
  expect(numbersOf(stdout, 'two words and these filters')).toSatisfy(areAll(5, 0, 60_000))
  expect(stdout).toMatch(/Sparse files: [\d,]+ a second .* ratio \*\*\d/)
  expect(stdout).not.toContain('written to')
}, 180_000)
