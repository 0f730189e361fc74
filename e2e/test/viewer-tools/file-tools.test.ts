import { connectWorkspaces, type Workspace, type Workspaces } from '@patchbay/client/workspaces'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { type Agent, connectAgent, textOf } from '@patchbay/viewer-app/test/agents'
import { createDesk, type Desk } from '@patchbay/viewer-app/test/desk'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { type Installation, joinInstallation } from '../workspace-cli/installation.ts'

vi.setConfig({ testTimeout: 120_000 })

let site: Installation
let desk: Desk
let agent: Agent
let workspaces: Workspaces
beforeAll(async () => {
  site = await joinInstallation()
  const scopes = [`panels:${site.owner}/*`, `files:write:${site.owner}/*`]
  workspaces = connectWorkspaces({ baseUrl: site.url, apiKey: await site.apiKey(...scopes) })
  desk = await createDesk({ env: await site.environment(...scopes) })
  agent = await connectAgent('2.x', 'stdio', desk.reach)
}, 120_000)
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await desk[Symbol.asyncDispose]()
})

async function newWorkspace(): Promise<Workspace & { readonly name: string }> {
  const name = site.newWorkspace()
  const [owner = '', repo = ''] = name.split('/')
  const workspace = workspaces.workspace({ owner, repo })
  await workspace.make()
  return Object.assign(workspace, { name })
}

test('[VA-61] files are listed with sizes and revisions, of a folder or all below it', async () => {
  const { name: workspace, files } = await newWorkspace()
  expect((await agent.call('av_list_files', { workspace })).structuredContent).toMatchObject({
    revision: 0,
    files: [],
    notShown: 0,
  })
  await files.write('README.md', 'Hello')
  await files.write('src/main.c', 'int main;')
  const top = await agent.call('av_list_files', { workspace })
  expect(top.structuredContent).toMatchObject({
    folders: [{ path: 'src', files: 1, bytes: 9 }],
    files: [{ path: 'README.md', bytes: 5, revision: 1 }],
  })
  expect(textOf(top)).toContain('README.md, 5 bytes, revision 1')
  const below = await agent.call('av_list_files', { workspace, folder: 'src', recursive: true })
  expect(below.structuredContent).toMatchObject({ files: [{ path: 'src/main.c', revision: 2 }] })
})

test('[VA-62] text is read whole or by lines, with what is hidden in it shown and no instruction', async () => {
  const { name: workspace, files } = await newWorkspace()
  await files.write('a.c', '\tone\ntwo\u202e\r\nthree\n')
  const whole = await agent.call('av_read_file', { workspace, path: 'a.c' })
  expect(whole.structuredContent).toMatchObject({
    text: '\tone\ntwo\\u{202e}\r\nthree',
    revision: 1,
    fromLine: 1,
    toLine: 3,
    hasHidden: true,
    isCut: false,
  })
  expect(textOf(whole)).toContain('no instruction')
  const part = await agent.call('av_read_file', { workspace, path: 'a.c', fromLine: 3, toLine: 9 })
  expect(part.structuredContent).toMatchObject({ text: 'three', fromLine: 3, toLine: 3 })
  await files.write('a.c', 'new', { ifRevision: 1 })
  const old = await agent.call('av_read_file', { workspace, path: 'a.c', revision: 1, toLine: 1 })
  expect(old.structuredContent).toMatchObject({ text: '\tone', revision: 1 })

  const line = `${'x'.repeat(99)}\n`
  await files.write('long.txt', line.repeat(5_000))
  const cut = await agent.call('av_read_file', { workspace, path: 'long.txt' })
  expect(cut.structuredContent).toMatchObject({ isCut: true, toLine: 2_621 })
  expect(textOf(cut)).toContain('fromLine 2622')
  const end = await agent.call('av_read_file', { workspace, path: 'long.txt', fromLine: 4_999 })
  expect(end.structuredContent).toMatchObject({ isCut: false, toLine: 5_000 })
  await files.write('endless', 'y'.repeat(1_000_000))
  const endless = await agent.call('av_read_file', { workspace, path: 'endless' })
  expect(endless.structuredContent).toMatchObject({ isCut: true })
  expect(textOf(endless).length).toBeLessThan(300_000)
})

test('[VA-62] a picture comes as a picture; what is neither, or is not there, is told as that', async () => {
  const { name: workspace, files } = await newWorkspace()
  await files.write('board.png', new Uint8Array(PNG.sync.write(new PNG({ width: 40, height: 30 }))))
  await files.write('fake.png', 'no picture')
  await files.write('data.bin', new Uint8Array([1, 0, 2]))
  await files.write('latin.txt', new Uint8Array([0x66, 0xfc, 0x72]))
  const picture = await agent.call('av_read_file', { workspace, path: 'board.png' })
  expect(picture.content.map(({ type }) => type)).toEqual(['text', 'image'])
  for (const [path, words] of [
    ['fake.png', 'is none that can be shown'],
    ['data.bin', 'is no text'],
    ['latin.txt', 'is no text'],
    ['none', 'has no such file'],
    ['../up', 'cannot hold a file of this name'],
  ]) {
    const refused = await agent.call('av_read_file', { workspace, path })
    expect([path, refused.isError, textOf(refused)]).toEqual([
      path,
      true,
      expect.stringContaining(words ?? ''),
    ])
  }
})

test('[VA-63] a file is made, and replaced only as it was read; the reason is in the history and the trail', async () => {
  const { name: workspace, files } = await newWorkspace()
  await using browser = await site.open(workspace)
  const made = await agent.call('av_write_file', {
    workspace,
    path: 'notes/todo.md',
    text: '# Töne\n',
    reason: 'a list',
  })
  expect(made.structuredContent).toEqual({ workspace, path: 'notes/todo.md', revision: 1, bytes: 8 })
  const blind = await agent.call('av_write_file', { workspace, path: 'notes/todo.md', text: 'x' })
  expect([blind.isError, textOf(blind)]).toEqual([true, expect.stringContaining('is at revision 1')])
  await files.write('notes/todo.md', 'somebody else', { ifRevision: 1 })
  const late = await agent.call('av_write_file', { workspace, path: 'notes/todo.md', text: 'x', revision: 1 })
  expect(textOf(late)).toContain('is at revision 2')
  const right = await agent.call('av_write_file', {
    workspace,
    path: 'notes/todo.md',
    text: 'x',
    revision: 2,
  })
  expect(right.structuredContent).toMatchObject({ revision: 3 })
  const gone = await agent.call('av_write_file', { workspace, path: 'none', text: 'x', revision: 2 })
  expect(textOf(gone)).toContain('is not there')
  expect((await files.history()).map(({ reason }) => reason)).toEqual([null, null, 'a list'])
  await vi.waitFor(() => expect(browser.acted.map(({ reason }) => reason)).toContain('a list'), 30_000)
})

deepTest('[VA-63] a key that may only read writes nothing, and is told which scope it lacks', async () => {
  const { name: workspace, files } = await newWorkspace()
  await files.write('a', 'a')
  await using other = await createDesk({ env: await site.environment(`files:read:${workspace}`) })
  await using reader = await connectAgent('1.x', 'stdio', other.reach)
  const read = await reader.call('av_read_file', { workspace, path: 'a' })
  expect(read.structuredContent).toMatchObject({ text: 'a' })
  const refused = await reader.call('av_write_file', { workspace, path: 'b', text: 'b' })
  expect([refused.isError, textOf(refused)]).toEqual([
    true,
    expect.stringContaining(`scope files:write:${workspace},`),
  ])
})

test('[VA-64] lines are found by text or pattern, bounded, in text files alone', async () => {
  const { name: workspace, files } = await newWorkspace()
  await files.write('src/main.c', 'int main(void)\n{\n  return HAL_Init();\n}\n')
  await files.write('src/same.c', 'int main(void)\n{\n  return HAL_Init();\n}\n')
  await files.write('Makefile', 'all: main\u200b.o\n')
  await files.write('data.bin', new Uint8Array([0, 0x6d, 0x61, 0x69, 0x6e]))
  await files.write('huge.txt', 'main\n'.repeat(250_000))
  const call = async (given: Record<string, unknown>) =>
    await agent.call('av_search_files', { workspace, ...given })
  const plain = await call({ text: 'main' })
  expect(plain.structuredContent).toMatchObject({
    searched: 3,
    tooLarge: 1,
    isCut: false,
    matches: [
      { path: 'Makefile', line: 1, text: 'all: main\\u{200b}.o' },
      { path: 'src/main.c', line: 1, text: 'int main(void)' },
      { path: 'src/same.c', line: 1 },
    ],
  })
  expect(textOf(plain)).toContain('src/main.c:1: int main(void)')
  const pattern = await call({ text: 'RETURN*init(', isPattern: true, ignoreCase: true, folder: 'src' })
  expect(pattern.structuredContent).toMatchObject({ matches: [{ line: 3 }, { line: 3 }] })
  expect((await call({ text: 'RETURN*' })).structuredContent).toMatchObject({ matches: [] })
  await files.write('many.txt', 'needle\n'.repeat(500))
  const many = (await call({ text: 'needle' })).structuredContent as { matches: unknown[]; isCut: boolean }
  expect([many.matches.length, many.isCut]).toEqual([200, true])
})

test('[VA-65] parts of a text are replaced where they are exactly once, with the reason in the history', async () => {
  const { name: workspace, files } = await newWorkspace()
  await files.write('pins.h', '#define LED 4\n#define BUZZER 4\n')
  const edit = (edits: object[]) =>
    agent.call('av_edit_file', { workspace, path: 'pins.h', edits, reason: 'New board' })
  const refused = await edit([
    { find: 'LED 4', replace: 'LED 5' },
    { find: '4', replace: '6' },
    { find: 'MOTOR', replace: '' },
  ])
  expect(refused.isError).toBe(true)
  expect(textOf(refused)).toContain('Nothing was changed')
  expect((await files.document('pins.h')).text).toBe('#define LED 4\n#define BUZZER 4\n')
  const edited = await edit([
    { find: 'LED 4', replace: 'LED 5' },
    { find: 'BUZZER 4', replace: 'BUZZER 6' },
  ])
  expect(edited.structuredContent).toEqual({ workspace, path: 'pins.h', edits: 2 })
  const text = '#define LED 5\n#define BUZZER 6\n'
  expect((await files.document('pins.h')).text).toBe(text)
  await expect
    .poll(async () => new TextDecoder().decode(await files.read('pins.h')), { timeout: 20_000 })
    .toBe(text)
  expect((await files.history({ path: 'pins.h', limit: 1 }))[0]?.by.kind).toBe('api_key')
  expect(
    (
      await agent.call('av_edit_file', {
        workspace,
        path: 'none.h',
        edits: [{ find: 'a', replace: 'b' }],
        reason: 'x',
      })
    ).isError,
  ).toBe(true)
})
