import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const CLI = fileURLToPath(new URL('../src/main.ts', import.meta.url))

interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function patchbay(...args: string[]): Promise<Outcome> {
  const env = { PATH: process.env['PATH'] }
  return await run(process.execPath, [CLI, ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Outcome) => error,
  )
}

test.each([[], ['--help']])('[CLI-1] %j says what there is', async (...args) => {
  const { code, stdout, stderr } = await patchbay(...args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/Usage: patchbay[\s\S]*server[\s\S]*Examples:/)
})

test.each([
  [['serv'], /unknown command 'serv'[\s\S]*Did you mean server/],
  [['server', '--chek-config'], /unknown option '--chek-config'[\s\S]*Did you mean --check-config/],
  [['config', 'nothing'], /unknown command 'nothing'/],
])('[CLI-2] %j is refused on standard error with exit code 2', async (args, words) => {
  const { code, stdout, stderr } = await patchbay(...args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(words)
  expect(stderr).not.toMatch(/\bat .*\.ts:\d+/)
})

test('[CLI-3] server --check-config only checks', async () => {
  const { code, stderr } = await patchbay('server', '--check-config')
  expect(code).toBe(78)
  expect(stderr).toContain('DATABASE_URL: is not set')
})

test('[CLI-4] the reference and the document are printed', async () => {
  expect((await patchbay('config', 'reference')).stdout).toContain('| `DATABASE_URL` |')
  expect(JSON.parse((await patchbay('openapi')).stdout)).toMatchObject({ openapi: '3.1.0' })
})

test('[CLI-5] --version prints the version', async () => {
  expect((await patchbay('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})
