import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { User } from '@patchbay/cli/test/user'
import { connectWorkspace, type WorkspaceFiles } from '@patchbay/client/workspaces'
import { waitUntil } from '@patchbay/testkit/processes'
import { beforeAll, expect, test } from 'vitest'
import { type Installation, joinInstallation } from '../workspace-cli/installation.ts'

let site: Installation
beforeAll(async () => {
  site = await joinInstallation()
})

interface Copy extends AsyncDisposable {
  readonly name: string
  /** Somebody else's hands on the same files. */
  readonly there: WorkspaceFiles
  readonly user: User
  run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }>
  write(path: string, text: string): Promise<void>
  remove(path: string): Promise<void>
  /** Every file of the folder with its text. */
  here(): Promise<Record<string, string>>
}

/** A workspace with two files, and a working copy of it. */
async function cloned(): Promise<Copy> {
  const name = site.newWorkspace()
  const scopes = [`panels:${site.owner}/*`, `files:write:${site.owner}/*`]
  const user = await site.shell(...scopes)
  expect((await user.run('workspace', 'make', name)).code).toBe(0)
  const [owner = '', repo = ''] = name.split('/')
  const there = connectWorkspace({
    baseUrl: site.url,
    owner,
    repo,
    apiKey: await site.apiKey(...scopes),
  }).files
  await there.write('README.md', 'Hello')
  await there.write('src/main.c', 'int main;')
  const folder = user.at('copy')
  expect(await user.run('files', 'clone', name, 'copy')).toMatchObject({
    code: 0,
    stdout: `${folder} has 2 files of ${name}, at revision 2.\n`,
  })
  return {
    name,
    there,
    user,
    run: (...args) => user.runIn('copy', 'files', ...args),
    async write(path, text) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    },
    remove: (path) => rm(join(folder, path)),
    here: () => textsIn(folder),
    [Symbol.asyncDispose]: () => user[Symbol.asyncDispose](),
  }
}

async function textsIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.patchbay'))
    .map((entry) => join(entry.parentPath, entry.name))
  const texts = await Promise.all(
    paths.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')]),
  )
  return Object.fromEntries(texts) as Record<string, string>
}

async function textsOf(there: WorkspaceFiles): Promise<Record<string, string>> {
  const { files } = await there.list({ recursive: true })
  const texts = await Promise.all(
    files.map(async ({ path }) => [path, new TextDecoder().decode(await there.read(path))]),
  )
  return Object.fromEntries(texts) as Record<string, string>
}

test('[CLI-195] what changed on one side only comes to the other', async () => {
  await using copy = await cloned()
  expect(await copy.here()).toEqual({ 'README.md': 'Hello', 'src/main.c': 'int main;' })
  expect((await copy.run('status')).stdout).toContain('Both sides are the same.')
  await copy.there.write('src/new.c', 'x')
  await copy.there.write('README.md', 'Hello there', { ifRevision: 1 })
  await copy.write('local.txt', 'mine')
  await copy.remove('src/main.c')
  const { stdout } = await copy.run('status')
  expect(stdout).toMatch(/Changed here.*\n {2}deleted {2}src\/main\.c\n {2}new {6}local\.txt/)
  expect(stdout).toMatch(/Changed there.*\n {2}changed {2}README\.md\n {2}new {6}src\/new\.c/)
  expect((await copy.run('pull')).stdout).toBe(
    '  changed  README.md\n  new      src/new.c\n2 files, revision 4.\n',
  )
  expect((await copy.run('push', '--reason', 'Tidy up')).stdout).toContain('2 files, revision 5.')
  const both = { 'README.md': 'Hello there', 'local.txt': 'mine', 'src/new.c': 'x' }
  expect([await copy.here(), await textsOf(copy.there)]).toEqual([both, both])
  expect((await copy.there.history())[0]).toMatchObject({ reason: 'Tidy up', paths: 2 })
  expect((await copy.run('pull')).stdout).toBe('Nothing new.\n')
  expect((await copy.run('push')).stdout).toBe('Nothing to send.\n')
})

test('[CLI-196] what changed on both sides is kept twice, and said so', async () => {
  await using copy = await cloned()
  await copy.write('README.md', 'Mine')
  await copy.there.write('README.md', 'Theirs', { ifRevision: 1 })
  const refused = await copy.run('push')
  expect(refused).toMatchObject({ code: 75, stderr: expect.stringContaining('files pull') })
  const { stdout } = await copy.run('pull')
  const [, aside = ''] =
    /conflict {2}README\.md {2}\(yours is now (README \(conflict .*\)\.md)\)/.exec(stdout) ?? []
  expect(await copy.here()).toEqual({ 'README.md': 'Theirs', [aside]: 'Mine', 'src/main.c': 'int main;' })
  expect((await copy.run('push')).code).toBe(0)
  expect(await textsOf(copy.there)).toEqual(await copy.here())
})

test('[CLI-196] what was deleted on one side and changed on the other is kept', async () => {
  await using copy = await cloned()
  await copy.remove('README.md')
  await copy.there.write('README.md', 'Still needed', { ifRevision: 1 })
  await copy.write('src/main.c', 'int main(void);')
  await copy.there.remove('src/main.c')
  expect((await copy.run('pull')).stdout).toMatch(/restored {2}README\.md .*\n {2}kept {6}src\/main\.c /)
  expect((await copy.run('push')).code).toBe(0)
  const both = { 'README.md': 'Still needed', 'src/main.c': 'int main(void);' }
  expect([await copy.here(), await textsOf(copy.there)]).toEqual([both, both])
})

test('[CLI-197] nothing is written through a link, and nothing is sent that a workspace cannot hold', async () => {
  await using copy = await cloned()
  await mkdir(copy.user.at('outside'))
  await symlink(copy.user.at('outside'), copy.user.at('copy', 'linked'))
  await copy.write('.git/config', 'x')
  await copy.write('con.txt', 'x')
  await copy.there.write('linked/evil.txt', 'out')
  expect(await copy.run('pull')).toMatchObject({ code: 1, stderr: expect.stringContaining('is no folder') })
  expect(await readdir(copy.user.at('outside'))).toEqual([])
  const { stdout } = await copy.run('status')
  expect(stdout).toMatch(/a workspace cannot hold it:\n {2}con\.txt\n {2}linked/)
  expect((await copy.run('push')).stdout).toBe('Nothing to send.\n')
})

test('[CLI-198] watch keeps both sides the same until it is ended', async () => {
  await using copy = await cloned()
  const running = copy.user.startIn('copy', 'files', 'watch')
  await waitUntil('it watches', () => running.stderr().includes('End it with Ctrl-C'), { deadlineMs: 60_000 })
  await copy.there.write('from-there.txt', 'there')
  const isHere = async (path: string, text: string) => (await copy.here())[path] === text
  await waitUntil('it came', () => isHere('from-there.txt', 'there'), { deadlineMs: 60_000 })
  await copy.write('from-here.txt', 'here')
  await waitUntil('it went', async () => (await textsOf(copy.there))['from-here.txt'] === 'here', {
    deadlineMs: 60_000,
  })
  running.child.kill('SIGINT')
  expect((await running.ended).code).toBe(0)
})
