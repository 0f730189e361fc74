import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const TESTS = fileURLToPath(new URL('../../../clients/python/test/', import.meta.url))
/** Debian's, which has Debian's packages; another one otherwise. */
export const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'

export function whyNoPython(): string | undefined {
  return spawnSync(PYTHON, ['--version']).status === 0 ? undefined : 'without python3'
}

interface PythonTest {
  readonly id: string
  readonly title: string
}

interface Outcome {
  readonly id: string
  readonly status: 'passed' | 'failed' | 'skipped'
  readonly text: string
}

/** By their sources: their names have to be known before anything runs. */
function listPythonTests(folder: string): PythonTest[] {
  return readdirSync(join(TESTS, folder))
    .filter((name) => /^test_\w+\.py$/.test(name))
    .toSorted()
    .flatMap((name) => {
      let owner = ''
      const lines = readFileSync(join(TESTS, folder, name), 'utf8').split('\n')
      return lines.flatMap((line, at) => {
        owner = /^class (\w+Test)\b/.exec(line)?.[1] ?? owner
        const method = /^ {4}def (test_\w+)/.exec(line)?.[1]
        if (method === undefined) return []
        const title = /^ {8}"""(\[.+)"""$/.exec(lines[at + 1] ?? '')?.[1]
        if (title === undefined) throw new Error(`${name}: ${method} has no rule and words in its first line`)
        return [{ id: `${folder}.${name.slice(0, -3)}.${owner}.${method}`, title }]
      })
    })
}

/** Each test of a folder as one of this file. They run once, together, in one process; `start` says what they are told. */
export function testPython(
  folder: string,
  start: () => Promise<Readonly<Record<string, string>>> = () => Promise.resolve({}),
  whyNot: string | undefined = whyNoPython(),
): void {
  let running: Promise<readonly Outcome[]> | undefined
  const run = async () => await runPython(folder, await start())
  const why = whyNot === undefined ? '' : `: ${whyNot}`
  for (const { id, title } of listPythonTests(folder)) {
    test.skipIf(whyNot !== undefined)(`${title}${why}`, async (context) => {
      running ??= run()
      const outcomes = (await running).filter((each) => each.id === id)
      expect(outcomes, `${id} has not run`).not.toEqual([])
      const failed = outcomes.filter(({ status }) => status === 'failed')
      expect(failed.map(({ text }) => text).join('\n')).toBe('')
      const skipped = outcomes.find(({ status }) => status === 'skipped')
      if (skipped !== undefined) context.skip(skipped.text)
    })
  }
}

async function runPython(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<readonly Outcome[]> {
  const home = await mkdtemp(join(tmpdir(), 'patchbay-python-'))
  try {
    const outcome = join(home, 'outcome.json')
    const { PATH = '', TMPDIR = tmpdir() } = process.env
    await promisify(execFile)(PYTHON, ['-B', join(TESTS, 'run.py'), folder, outcome], {
      env: { PATH, TMPDIR, HOME: home, ...environment },
      cwd: home,
      timeout: 390_000,
      maxBuffer: 16 * 1024 * 1024,
    })
    return JSON.parse(await readFile(outcome, 'utf8')) as readonly Outcome[]
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}
