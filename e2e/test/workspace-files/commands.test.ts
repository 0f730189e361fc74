import { writeFile } from 'node:fs/promises'
import { NO_STACK, type User } from '@patchbay/cli/test/user'
import { connectWorkspace } from '@patchbay/client/workspaces'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, joinInstallation } from '../workspace-cli/installation.ts'

let site: Installation
let ada: User
beforeAll(async () => {
  site = await joinInstallation()
  ada = await site.shell(`panels:${site.owner}/*`, `files:write:${site.owner}/*`)
})
afterAll(() => ada[Symbol.asyncDispose]())

async function newWorkspace(): Promise<string> {
  const name = site.newWorkspace()
  expect((await ada.run('workspace', 'make', name)).code).toBe(0)
  return name
}

test('[CLI-193] files are put, listed, read, moved, deleted and brought back', async () => {
  const name = await newWorkspace()
  expect((await ada.run('files', 'ls', name)).stdout).toBe(`${name} has no files yet.\n`)
  await writeFile(ada.at('main.c'), 'int main;')
  const put = await ada.run('files', 'put', name, 'main.c', 'src/', '--reason', 'First')
  expect(put).toMatchObject({ code: 0, stdout: `${name} has src/main.c (9 bytes), revision 1.\n` })
  const again = await ada.run('files', 'put', name, 'main.c', 'src/')
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('--replace') })
  expect((await ada.run('files', 'ls', name)).stdout).toBe('src/  9 bytes  1 file\n')
  expect((await ada.run('files', 'ls', name, '-r')).stdout).toMatch(/^src\/main\.c {2}9 bytes {2}20.* by ada/)
  expect(await ada.run('files', 'cat', name, 'src/main.c')).toMatchObject({ code: 0, stdout: 'int main;' })
  await writeFile(ada.at('main.c'), 'int main(void);')
  expect((await ada.run('files', 'put', name, 'main.c', 'src/main.c', '--replace')).code).toBe(0)
  expect((await ada.run('files', 'cat', name, 'src/main.c', '--revision', '1')).stdout).toBe('int main;')
  expect((await ada.run('files', 'mv', name, 'src', 'firmware')).stdout).toContain('Moved src to firmware')
  expect((await ada.run('files', 'rm', name, 'firmware/')).stdout).toContain('History keeps it.')
  const history = await ada.json<{ changes: { revision: number; reason: string | null }[] }>(
    'files',
    'history',
    name,
  )
  expect(history.changes.map(({ revision, reason }) => [revision, reason])).toEqual([
    [4, null],
    [3, null],
    [2, null],
    [1, 'First'],
  ])
  expect((await ada.run('files', 'restore', name, 'src/main.c', '--revision', '1')).code).toBe(0)
  expect((await ada.run('files', 'cat', name, 'src/main.c')).stdout).toBe('int main;')
  expect((await ada.run('files', 'restore', name, '--all', '--revision', '3')).code).toBe(0)
  expect((await ada.run('files', 'ls', name, '-r')).stdout).toContain('firmware/main.c')
  expect((await ada.run('files', 'cat', name, 'firmware/main.c', '-o', 'copy.c')).stdout).toContain(
    'Wrote copy.c',
  )
})

test('[CLI-210] lines are found by text and path, as grep prints them', async () => {
  const name = await newWorkspace()
  await writeFile(ada.at('pins.h'), '#define LED 4\n#define leds 2\n')
  await writeFile(ada.at('notes.md'), 'The \u001b[31mLED\n')
  for (const file of ['pins.h', 'notes.md']) await ada.run('files', 'put', name, file, 'src/')
  expect(await ada.run('files', 'search', name, 'led')).toMatchObject({
    code: 0,
    stdout: 'src/notes.md:1: The [31mLED\nsrc/pins.h:1: #define LED 4\nsrc/pins.h:2: #define leds 2\n',
  })
  const narrow = ['--path', '*.h', '--case-sensitive', '--word']
  expect((await ada.run('files', 'search', name, 'LED', ...narrow)).stdout).toBe(
    'src/pins.h:1: #define LED 4\n',
  )
  expect((await ada.run('files', 'search', name, '#*4', '--wildcards')).stdout).toContain('src/pins.h:1')
  expect(await ada.json('files', 'search', name, 'led', '--limit', '1')).toMatchObject({ cut: 'lines' })
  expect((await ada.run('files', 'search', name, 'motor')).code).toBe(1)
})

test('[CLI-194] what is refused is said in a sentence with what to do', async () => {
  const name = await newWorkspace()
  await writeFile(ada.at('x'), 'x')
  const answers = [
    await ada.run('files', 'cat', name, 'none'),
    await ada.run('files', 'rm', name, 'none'),
    await ada.run('files', 'put', name, 'x', '../x'),
    await ada.run('files', 'put', name, 'missing-here'),
    await ada.run('files', 'restore', name, '--revision', '1'),
    await ada.run('files', 'status'),
    await ada.run('files', 'ls', 'nobody'),
    await ada.run('files', 'ls', `${site.owner}/nowhere`),
  ]
  for (const { code, stderr, stdout } of answers) {
    expect([code, stdout]).toEqual([expect.toBeOneOf([1, 2]), ''])
    expect(stderr).not.toMatch(NO_STACK)
  }
  await using reader = await site.shell(`files:read:${site.owner}/*`)
  await writeFile(reader.at('x'), 'x')
  const refused = await reader.run('files', 'put', name, 'x')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`files:write:${name}`) })
  expect((await reader.run('files', 'ls', name)).code).toBe(0)
})

test('[CL-121][CL-128] the library reads, writes, follows, searches and restores files', async () => {
  const name = await newWorkspace()
  const [owner = '', repo = ''] = name.split('/')
  const { files } = connectWorkspace({
    baseUrl: site.url,
    owner,
    repo,
    apiKey: await site.apiKey(`files:write:${name}`),
  })
  const first = await files.write('notes/läuft.md', 'one', { reason: 'Begin' })
  expect(first).toMatchObject({ path: 'notes/läuft.md', revision: 1, mediaType: 'text/markdown' })
  await expect(files.write('notes/läuft.md', 'blind')).rejects.toMatchObject({ code: 'file_changed' })
  const waiting = files.changedSince(1, { waitSeconds: 20 })
  await files.write('notes/läuft.md', new Blob(['two']), { ifRevision: 1 })
  expect((await waiting).items.map(({ path, revision }) => [path, revision])).toEqual([['notes/läuft.md', 2]])
  expect(new TextDecoder().decode(await files.read('notes/läuft.md'))).toBe('two')
  expect(new TextDecoder().decode(await files.read('notes/läuft.md', { revision: 1 }))).toBe('one')
  expect(await files.list()).toMatchObject({ revision: 2, folders: [{ path: 'notes', files: 1 }], files: [] })
  expect((await files.history({ path: 'notes/läuft.md' })).map(({ reason }) => reason)).toEqual([
    null,
    'Begin',
  ])
  expect(await files.search('TWO', { path: 'notes', wholeWord: true })).toMatchObject({
    files: [{ path: 'notes/läuft.md', revision: 2, lines: [{ line: 1, ranges: [{ from: 0, to: 3 }] }] }],
    cut: null,
  })
  expect((await files.search('TWO', { caseSensitive: true })).files).toEqual([])
  expect(await files.missing(['0'.repeat(64)])).toEqual(['0'.repeat(64)])
  const [{ sha256 } = { sha256: '' }] = (await files.list({ recursive: true })).files
  expect(await new Response(await files.readContents([sha256])).text()).toBe('two')
  await files.remove('notes/läuft.md', { ifRevision: 2 })
  expect(await files.restore(1)).toEqual({ revision: 4, paths: 1 })
  const zip = new Uint8Array(await new Response(await files.archive()).arrayBuffer())
  expect([...zip.subarray(0, 2)]).toEqual([0x50, 0x4b])
})
