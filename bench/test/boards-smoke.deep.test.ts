import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { JOBS } from '../src/boards/jobs.ts'
import { BOARDS } from '../src/boards/pictures.ts'

const run = promisify(execFile)
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

test.skipIf(!existsSync('/usr/bin/kicad-cli'))(
  '[BN-65] the bench of boards measures first pictures, and jobs on both sides',
  async () => {
    const { stdout } = await run(process.execPath, [main, 'boards', '--smoke'])
    for (const { name } of BOARDS) {
      const cells =
        stdout
          .split('\n')
          .find((line) => line.startsWith(`| ${name}, `))
          ?.split(' | ') ?? []
      for (const cell of [cells[1], cells[4]]) expect(Number.parseFloat(cell ?? '')).toBeGreaterThan(1)
    }
    for (const { name } of JOBS) {
      const cells =
        stdout
          .split('\n')
          .find((line) => line.startsWith(`| ${name} |`))
          ?.split(' | ') ?? []
      // Too short to judge, but a side that did not run would be 0 or not a number.
      for (const cell of [cells[1], cells[2], cells[6]])
        expect(Number.parseFloat(cell ?? '')).toBeGreaterThan(1)
    }
    expect(stdout).not.toContain('written to')
  },
  600_000,
)
