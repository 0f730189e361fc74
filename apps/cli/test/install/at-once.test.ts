import { readdir, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { deepTest, depth } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { createUser, type User } from '../user.ts'

const FOLDER = '.config/patchbay'
const LOCK = `${FOLDER}/sources.json.lock`
const ADD = ['source', 'add', 'https://example.com/repository.json', '--no-check', '--name'] as const

async function namesOf(user: User): Promise<string[]> {
  const { sources } = await user.json<{ sources: { name: string }[] }>('source', 'list')
  return sources.map(({ name }) => name)
}

/** As a process that cannot be seen from here would leave it. */
async function lockElsewhere(user: User): Promise<void> {
  const id = '00000000-0000-4000-8000-000000000000'
  const since = new Date().toISOString()
  const holder = { id, pid: 1, host: hostname(), machine: 'elsewhere', machineId: '', started: '1', since }
  await writeFile(user.at(LOCK), JSON.stringify(holder))
}

test('[CLI-70] of many commands at once none is lost', { timeout: 120_000 }, async () => {
  await using ada = await createUser()
  await ada.run(...ADD, 'first')
  const names = Array.from({ length: depth({ common: 3, deep: 6 }) }, (_, index) => `shop${index}`)
  const adding = names.map(
    (name) =>
      ada.start('source', 'add', `https://example.com/${name}/repository.json`, '--no-check', '--name', name)
        .ended,
  )
  const others = [
    ada.start('source', 'remove', 'first').ended,
    ada.start('source', 'target', '--tool-version', '9.0').ended,
  ]
  const ended = await Promise.all([...adding, ...others])
  expect(ended.map(({ code }) => code)).toEqual(ended.map(() => 0))
  expect((await namesOf(ada)).toSorted()).toEqual(names)
  expect(await ada.json('source', 'target')).toMatchObject({ tool_version: '9.0' })
  expect(await readdir(ada.at(FOLDER))).toEqual(['sources.json'])
})

deepTest('[CLI-70] of two that add the same source, one is refused', { timeout: 120_000 }, async () => {
  await using ada = await createUser()
  const ended = await Promise.all(['a', 'b'].map((name) => ada.start(...ADD, name).ended))
  expect(new Set(ended.map(({ code }) => code))).toEqual(new Set([0, 1]))
  expect(ended.find(({ code }) => code === 1)?.stderr).toContain('is one of your sources already')
})

deepTest('[CLI-70] who has to wait is told, and Ctrl-C ends it', { timeout: 120_000 }, async () => {
  await using ada = await createUser()
  await ada.run(...ADD, 'first')
  await lockElsewhere(ada)
  const waiting = ada.start('source', 'remove', 'first')
  await waitUntil('it says so', () => waiting.stderr().includes('Waiting for'), { deadlineMs: 60_000 })
  waiting.child.kill('SIGINT')
  expect(await waiting.ended).toMatchObject({
    code: 130,
    stderr: expect.stringContaining('Stopped. Nothing was changed.'),
  })
  expect(await namesOf(ada)).toEqual(['first'])
})

deepTest('[CLI-70] after ten seconds it gives up and says what to do', { timeout: 60_000 }, async () => {
  await using ada = await createUser()
  await ada.run(...ADD, 'first')
  await lockElsewhere(ada)
  const { code, stderr } = await ada.run('source', 'remove', 'first')
  expect(code).toBe(75)
  expect(stderr).toContain(`delete ${ada.at(LOCK)} if you know that it is gone`)
  expect(await namesOf(ada)).toEqual(['first'])
})
