import { expect, test } from 'vitest'
import { startProcess, withCompiledCode } from '../src/processes.ts'

const PRINT = 'process.stdout.write(JSON.stringify(process.env))'

async function environmentOf(env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  await using running = startProcess(process.execPath, ['-e', PRINT], { env })
  // Closed, not only ended: what it printed last has arrived by then.
  await new Promise((resolve) => {
    running.child.once('close', resolve)
  })
  return JSON.parse(running.output())
}

test('[TK-101] a process with an environment of its own finds what others have compiled and bundled, and nothing else of ours', async () => {
  const { NODE_COMPILE_CACHE, TEST_COMMAND_FOLDER } = process.env
  expect([NODE_COMPILE_CACHE, TEST_COMMAND_FOLDER].map((folder) => typeof folder)).toEqual([
    'string',
    'string',
  ])
  expect(await environmentOf({ WORD: 'own' })).toEqual({
    WORD: 'own',
    NODE_COMPILE_CACHE,
    TEST_COMMAND_FOLDER,
  })
})

test('[TK-101] a folder that the caller names comes first', async () => {
  const named = { NODE_COMPILE_CACHE: '/nowhere', TEST_COMMAND_FOLDER: '/elsewhere' }
  expect(await environmentOf(named)).toEqual(named)
  expect(withCompiledCode(named)).toEqual(named)
})

test('[TK-101] other programs get exactly the environment they were given', async () => {
  await using running = startProcess('/usr/bin/env', [], { env: { WORD: 'own' } })
  await running.exited
  await expect.poll(() => running.output()).toBe('WORD=own\n')
})
