import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

test('[BN-1] the kernel bench measures both sides of both ratios', async () => {
  const { stdout } = await run(process.execPath, [main, 'kernel', '--smoke'])
  const rows = [...stdout.matchAll(/^\| ([^|]+) \| [^|]+ \| [^|]+ \| \**(-?[\d.]+)\** \|/gm)]
  const ratios = new Map(rows.map(([, name = '', ratio]) => [name, Number(ratio)]))
  // The smoke run is too short to judge a ratio, but a side that did not run would be 0, infinite or not a number.
  for (const name of ['requests per second', 'CPU per request', 'JavaScript heap'])
    expect([name, ratios.get(name)]).toSatisfy(([, value]: [string, number]) => value > 0.1 && value < 10)
  // Of a few hundred sockets this says how many free pages a process happened to have: the heap above is what they cost.
  expect(ratios.get('resident memory')).toBeTypeOf('number')
}, 60_000)
