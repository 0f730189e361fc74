import { writeFile } from 'node:fs/promises'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { expect } from 'vitest'
import { createUser, NO_STACK } from '../user.ts'

const KEY = { PATCHBAY_API_KEY: 'pbk_secret-of-ada' }

test.each([
  [['workspace', 'show', 'board'], 'such as ada/board, not "board"'],
  [['workspace', 'shwo', 'ada/board'], 'Did you mean show?'],
  [
    ['workspace', 'add', 'ada/board', 'webview', '--split', 'north'],
    'Allowed choices are left, right, up, down',
  ],
  [['workspace', 'add', 'ada/board', 'webview', '--state', '[1]'], '--state takes a JSON object'],
  [['workspace', 'move', 'ada/board', 'Docs'], 'Say where it goes: --to'],
  [['workspace', 'resize', 'ada/board', 'x', '1', 'two'], 'Sizes are numbers above 0'],
  [['panel', 'header', 'ada/board', 'Docs', 'maybe'], 'Allowed choices are show, hide'],
  [['panel', 'eval', 'ada/board', 'Sandbox'], 'Say what to run, in one way'],
  [['panel', 'eval', 'ada/board', 'Sandbox', '1', '--file', 'x.js'], 'Say what to run, in one way'],
  [['panel', 'eval', 'ada/board', 'Sandbox', '1', '--timeout', '99'], 'from 1 to 30'],
  [['screenshot', 'ada/board', '--panel', 'Docs', '--screen'], 'do not go together'],
  [['screenshot', 'ada/board', '--method', 'photo'], 'Allowed choices are element-capture, html2canvas'],
])('[CLI-112] %j is wrong, which nobody has to be asked for', async (args, words) => {
  await using ada = await createUser({ ...KEY, PATCHBAY_SERVER_URL: `http://localhost:${await freePort()}` })
  const { code, stdout, stderr } = await ada.run(...args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(words)
  expect(stderr).not.toMatch(NO_STACK)
})

test('[CLI-112] who is not signed in is told what to do, before anything is sent', async () => {
  await using ada = await createUser()
  for (const args of [
    ['workspace', 'show', 'ada/board'],
    ['workspace', 'panels'],
    ['panel', 'refresh', 'ada/board', 'Docs'],
    ['screenshot', 'ada/board'],
  ]) {
    const { code, stderr } = await ada.run(...args)
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^You are not signed in to http:\/\/localhost:8790\.\nRun "patchbay login", or set /,
    )
  }
})

deepTest('[CLI-112] a server that is away is named, also as JSON, and no key is shown', async () => {
  const server = `http://localhost:${await freePort()}`
  await using ada = await createUser({ ...KEY, PATCHBAY_SERVER_URL: server })
  const { code, stdout, stderr } = await ada.run('workspace', 'show', 'ada/board', '--json')
  expect(code).toBe(69)
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'unreachable' } })
  expect(stderr).toContain(`${server} cannot be reached right now: the connection failed (ECONNREFUSED).`)
  expect(stdout + stderr).not.toContain('secret-of-ada')
})

test('[CLI-105] a file that holds no layout is told before anybody is asked', async () => {
  await using ada = await createUser({ ...KEY, PATCHBAY_SERVER_URL: `http://localhost:${await freePort()}` })
  await writeFile(ada.at('text.json'), 'nothing')
  await writeFile(ada.at('other.json'), '{"version": 1}')
  for (const [file, why] of [
    ['nowhere.json', 'There is no nowhere.json'],
    ['text.json', 'it is no JSON'],
    ['other.json', 'no "root"'],
  ] as const) {
    const { code, stderr } = await ada.run('workspace', 'import', 'ada/board', file)
    expect(code).toBe(1)
    expect(stderr).toContain(why)
  }
})

test('[CLI-110] a picture that could not be kept is not taken', async () => {
  await using ada = await createUser({ ...KEY, PATCHBAY_SERVER_URL: `http://localhost:${await freePort()}` })
  await writeFile(ada.at('mine.png'), 'mine')
  const { code, stderr } = await ada.run('screenshot', 'ada/board', '--out', 'mine.png')
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('mine.png is there already.'),
  })
})

test('[CLI-115] the words of these commands are completed', async () => {
  await using ada = await createUser()
  const words = async (...typed: string[]) =>
    (await ada.run('completion-words', '--', ...typed)).stdout
      .split('\n')
      .flatMap((line) => line.split('\t')[0] || [])
  expect(await words('workspace', 're')).toEqual(['remove', 'restore', 'rename', 'reopen', 'resize'])
  expect(await words('workspace', 'add', 'ada/board', 'webview', '--split', 'r')).toEqual(['right'])
  expect(await words('panel', 'proxy', 'ada/board', 'Docs', '')).toEqual(['on', 'off'])
  expect(await words('panel', 'eval', 'ada/board', 'Sandbox', '--file', '')).toEqual([':files'])
  expect(await words('workspace', 'import', 'ada/board', '')).toEqual([':files'])
  expect(await words('screenshot', 'ada/board', '--method', '')).toEqual(['element-capture', 'html2canvas'])
})
