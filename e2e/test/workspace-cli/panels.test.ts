import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { User } from '@patchbay/cli/test/user'
import type { CurrentWorkspace } from '@patchbay/contracts/panels'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { type Installation, joinInstallation } from './installation.ts'
import { PICTURE, type StandInBrowser } from './stand-in-browser.ts'

vi.setConfig({ testTimeout: 120_000 })

let site: Installation
let ada: User
beforeAll(async () => {
  site = await joinInstallation()
  ada = await site.shell()
})
afterAll(() => ada[Symbol.asyncDispose]())

const current = (name: string) => ada.json<CurrentWorkspace>('workspace', 'show', name)

/** A workspace with a web view and a sandbox beside each other. */
async function furnish(): Promise<{ name: string; sandbox: string }> {
  const name = site.newWorkspace()
  await ada.run('workspace', 'make', name)
  await ada.run('workspace', 'add', name, 'webview', '--title', 'Docs')
  const { tabId } = await ada.json<{ tabId: string }>('workspace', 'add', name, 'sandbox', '--split', 'right')
  return { name, sandbox: tabId }
}

async function openReady(name: string, tabId: string): Promise<StandInBrowser> {
  const browser = await site.open(name)
  browser.setReady(tabId)
  return browser
}

deepTest(
  '[CLI-107] web views and sandboxes do what they are told, whether or not somebody looks',
  async () => {
    const { name } = await furnish()
    const unseen = await ada.run('panel', 'navigate', name, 'Docs', 'https://example.com/1')
    expect(unseen.code).toBe(0)
    expect(unseen.stdout).toMatch(
      /^Docs shows https:\/\/example\.com\/1 now\.\nNobody has the workspace open/,
    )

    await using browser = await site.open(name)
    const seen = await ada.run(
      'panel',
      'navigate',
      name,
      'docs',
      'https://example.com/2',
      '--reason',
      'to read',
    )
    expect(seen).toMatchObject({ code: 0, stdout: 'Docs shows https://example.com/2 now.\n' })
    await waitUntil('the person is shown why', () => browser.acted.some(({ reason }) => reason === 'to read'))
    for (const args of [
      ['refresh', name, 'webview'],
      ['header', name, 'Docs', 'hide'],
      ['header', name, 'sandbox', 'hide'],
      ['proxy', name, 'Docs', 'on'],
      ['reset', name, 'sandbox'],
    ])
      expect((await ada.run('panel', ...args)).code).toBe(0)
    const { tabs } = await current(name)
    expect(tabs.map(({ state }) => state)).toMatchObject([
      {
        url: 'https://example.com/2',
        isHeaderHidden: true,
        isProxyEnabled: true,
        refresh: expect.any(Number),
      },
      { isHeaderHidden: true, reset: expect.any(Number) },
    ])
    const shown = browser.commands.flatMap((command) => (command.kind === 'show' ? [command.state] : []))
    expect(shown).toContainEqual(expect.objectContaining({ url: 'https://example.com/2' }))

    const wrong = await ada.run('panel', 'refresh', name, 'sandbox')
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('this is for webview') })
    await ada.run('workspace', 'add', name, 'webview', '--panel', 'Docs', '--title', 'Front')
    const behind = await ada.run('panel', 'refresh', name, 'Docs')
    expect(behind).toMatchObject({ code: 1, stderr: expect.stringContaining(`workspace activate ${name}`) })
    const scheme = await ada.run('panel', 'navigate', name, 'Front', 'javascript:alert(1)')
    expect(scheme).toMatchObject({ code: 2, stderr: expect.stringContaining('https:// or http://') })
  },
)

test('[CLI-108] code of an argument, a file and standard input runs, and its result alone is on standard output', async () => {
  const { name, sandbox } = await furnish()
  await using _browser = await openReady(name, sandbox)
  const run = async (...args: string[]) => {
    const { stderr, ...rest } = await ada.run('panel', 'eval', name, 'sandbox', ...args)
    // On a busy machine a line says that it takes its time.
    return { ...rest, stderr: stderr.replaceAll(/^Waiting .* …\n/gm, '') }
  }
  await waitUntil('the frame is ready', async () => (await run('1')).code === 0, { deadlineMs: 60_000 })
  expect(await run('console.log("hi"); console.warn("uh"); ({ a: 1 })')).toEqual({
    code: 0,
    stdout: '{\n  "a": 1\n}\n',
    stderr: 'hi\nwarn: uh\n',
  })
  expect(await run('"two\\nlines"')).toEqual({ code: 0, stdout: 'two\nlines\n', stderr: '' })
  expect(await run('undefined')).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await run('nope()')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'ReferenceError: nope is not defined\n',
  })
  const failed = await run('nope()', '--json')
  expect(failed.code).toBe(1)
  expect(JSON.parse(failed.stdout)).toMatchObject({ status: 'error', id: expect.any(String) })
  await writeFile(join(ada.home, 'count.js'), '[1, 2, 3].length')
  expect((await run('--file', join(ada.home, 'count.js'))).stdout).toBe('3\n')
  const typed = ada.startWith('2 +\n3', 'panel', 'eval', name, 'sandbox', '-')
  expect(await typed.ended).toMatchObject({ code: 0, stdout: '5\n' })
})

test('[CLI-109] code that no browser can run yet waits, runs once, and is asked for later', async () => {
  const { name, sandbox } = await furnish()
  const queued = await ada.run('panel', 'eval', name, 'sandbox', '6 * 7')
  expect(queued).toMatchObject({ code: 75, stdout: '' })
  const [, id = ''] = /panel result \S+ (\S+) --wait 60/.exec(queued.stderr) ?? []
  expect((await ada.run('panel', 'result', name, id)).code).toBe(75)
  const waiting = ada.start('panel', 'result', name, id, '--wait', '90')
  const other = ada.start('panel', 'eval', name, 'sandbox', '"later"', '--wait', '90')
  await using browser = await openReady(name, sandbox)
  expect(await waiting.ended).toMatchObject({ code: 0, stdout: '42\n' })
  expect(await other.ended).toMatchObject({ code: 0, stdout: 'later\n' })
  const ran = browser.commands.flatMap((command) => (command.kind === 'eval' ? [command.code] : []))
  expect(ran.toSorted()).toEqual(['"later"', '6 * 7'])
  const unknown = await ada.run('panel', 'result', name, '00000000-0000-4000-8000-000000000000')
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('ten minutes') })
})

test('[CLI-110] the picture of a workspace, a panel or the screen is saved, and only its path is printed', async () => {
  const { name, sandbox } = await furnish()
  await using browser = await site.open(name)
  browser.share(true)
  const file = join(ada.home, 'board.png')
  const taken = await ada.run('screenshot', name, '--out', file)
  expect(taken).toMatchObject({ code: 0, stdout: `${file}\n` })
  const { width, height, data } = PNG.sync.read(await readFile(file))
  expect({ width, height }).toEqual({ width: PICTURE.width, height: PICTURE.height })
  expect([...data.subarray(0, 3)]).toEqual([...PICTURE.rgb])
  const again = await ada.run('screenshot', name, '--out', file)
  expect(again).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--force') })
  expect((await ada.run('screenshot', name, '--out', file, '--force', '--screen')).code).toBe(0)
  const facts = await ada.json(
    'screenshot',
    name,
    '--panel',
    'sandbox',
    '--method',
    'html2canvas',
    '--out',
    `${file}2`,
  )
  expect(facts).toMatchObject({
    file: `${file}2`,
    scope: 'panel',
    tabId: sandbox,
    engine: 'snapdom',
    width: 40,
  })
  const scopes = browser.commands.flatMap((command) => (command.kind === 'screenshot' ? [command.scope] : []))
  expect(scopes).toEqual(['workspace', 'screen', 'panel'])
  const other = await ada.run(
    'screenshot',
    name,
    '--panel',
    'Docs',
    '--method',
    'html2canvas',
    '--out',
    `${file}3`,
  )
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('this is for sandbox') })
})

test('[CLI-111] without sharing the person is asked and the exit code is 75; --wait goes on until they have', async () => {
  const { name } = await furnish()
  const out = (file: string) => ['--out', join(ada.home, file)]
  const closed = await ada.run('screenshot', name, ...out('closed.png'))
  expect(closed).toMatchObject({ code: 75, stdout: '' })
  expect(closed.stderr).toContain(`Nobody has ${name} open`)
  await using browser = await site.open(name)
  const asked = await ada.run('screenshot', name, '--reason', 'to see it', ...out('asked.png'))
  expect(asked).toMatchObject({ code: 75, stdout: '' })
  expect(asked.stderr).toContain('monitor icon')
  const [command] = browser.commands
  expect(command).toMatchObject({
    kind: 'screenshot',
    reason: 'to see it',
    by: { handle: site.owner, name: 'agent' },
  })
  const waiting = ada.start('screenshot', name, '--wait', '90', ...out('shared.png'))
  await waitUntil('they were asked again', () => browser.commands.length > 1, { deadlineMs: 60_000 })
  browser.share(true)
  expect(await waiting.ended).toMatchObject({ code: 0, stdout: `${join(ada.home, 'shared.png')}\n` })
})

test('[CLI-150] F9: a person who declines ends the waiting, and it is told for how long they are not asked', async () => {
  const { name } = await furnish()
  await using browser = await site.open(name)
  browser.decline(300)
  const out = join(ada.home, 'declined.png')
  const refused = await ada.run('screenshot', name, '--wait', '600', '--out', out)
  expect(refused).toMatchObject({ code: 75, stdout: '' })
  expect(refused.stderr).toContain('"Not now"')
  expect(refused.stderr).toContain('5 minutes')
  expect(browser.commands).toHaveLength(1)
})

test('[CLI-116] Ctrl-C ends the waiting with 130, and says what is true', async () => {
  const { name } = await furnish()
  await using browser = await site.open(name)
  const picture = ada.start('screenshot', name, '--wait', '600', '--out', join(ada.home, 'never.png'))
  await waitUntil('they were asked', () => browser.commands.length > 0, { deadlineMs: 60_000 })
  picture.child.kill('SIGINT')
  expect(await picture.ended).toMatchObject({
    code: 130,
    stderr: expect.stringContaining('No screenshot was saved.'),
  })
  const code = ada.start('panel', 'eval', name, 'sandbox', '1', '--wait', '600')
  await waitUntil('it waits', () => code.stderr().includes('Waiting'), { deadlineMs: 60_000 })
  code.child.kill('SIGINT')
  expect(await code.ended).toMatchObject({
    code: 130,
    stderr: expect.stringContaining('The code may have run.'),
  })
})
