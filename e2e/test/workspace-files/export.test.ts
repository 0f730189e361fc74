import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { User } from '@patchbay/cli/test/user'
import { connectWorkspace, type WorkspaceFiles } from '@patchbay/client/workspaces'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Installation, joinInstallation } from '../workspace-cli/installation.ts'

let site: Installation
let ada: User
beforeAll(async () => {
  site = await joinInstallation()
  ada = await site.shell(`panels:${site.owner}/*`, `files:write:${site.owner}/*`)
})
afterAll(() => ada[Symbol.asyncDispose]())

async function newWorkspace(): Promise<{ readonly name: string; readonly there: WorkspaceFiles }> {
  const name = site.newWorkspace()
  expect((await ada.run('workspace', 'make', name)).code).toBe(0)
  const [owner = '', repo = ''] = name.split('/')
  const apiKey = await site.apiKey(`files:write:${name}`)
  return { name, there: connectWorkspace({ baseUrl: site.url, owner, repo, apiKey }).files }
}

/** Git as the user runs it, in a folder of theirs. */
async function git(folder: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, {
    cwd: ada.at(folder),
    env: { PATH: process.env['PATH'], HOME: ada.home },
  })
  return stdout.trimEnd()
}

deepTest(
  '[CLI-200] every change becomes a commit with who, when and why, and the last tree is the workspace',
  async () => {
    const { name, there } = await newWorkspace()
    await there.write('README.md', 'one\n', { reason: 'Begin: "ä" <b> & more' })
    await there.write('thing', 'a file', {})
    await there.write('src/with blank ü.c', 'int main;\n'.repeat(50), { ifRevision: 'any' })
    await there.change([{ op: 'move', path: 'src', to: 'firmware' }])
    // A folder where a file was, and other letters alone.
    const { sha256 } = (await there.list()).files.find(({ path }) => path === 'README.md') ?? { sha256: '' }
    await there.change(
      [
        { op: 'delete', path: 'thing' },
        { op: 'put', path: 'thing/inside', sha256 },
        { op: 'move', path: 'README.md', to: 'readme.md' },
      ],
      { author: { name: 'Grace <h>', at: '2011-05-06T07:08:09Z' }, reason: 'Brought in' },
    )
    await there.write('big.bin', new Blob([new Uint8Array(3_000_000).fill(7)]))
    const exported = await ada.run('files', 'export', name, 'out', '--git')
    expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining('6 commits') })

    const changes = (await there.history()).toReversed()
    const log = await git('out', 'log', '--reverse', '--format=%an|%ae|%at|%cn|%ct|%s')
    const seconds = (at: string) => Math.floor(Date.parse(at) / 1_000)
    const email = `${site.owner}@localhost`
    expect(log.split('\n')).toEqual(
      changes.map(({ by, at, reason, author, paths }) =>
        [
          author === null ? by.handle : 'Grace h',
          email,
          seconds(author?.at ?? at),
          by.handle,
          seconds(at),
          reason ?? `Change ${paths} ${paths === 1 ? 'file' : 'files'}`,
        ].join('|'),
      ),
    )
    expect(await git('out', 'status', '--porcelain')).toBe('')
    await git('out', 'fsck', '--full', '--strict')
    const paths = (await git('out', 'ls-tree', '-r', '-z', '--name-only', 'HEAD')).split('\0').filter(Boolean)
    expect(paths).toEqual(['big.bin', 'firmware/with blank ü.c', 'readme.md', 'thing/inside'])
    for (const path of paths)
      expect(new Uint8Array(await readFile(ada.at('out', path)))).toEqual(await there.read(path))
    const followed = await git('out', 'log', '--follow', '--format=%s', '--', 'firmware/with blank ü.c')
    expect(followed.split('\n')).toHaveLength(2)
  },
)

test('[CLI-200] without Git the plain files are written, and nothing beside them', async () => {
  const { name, there } = await newWorkspace()
  await there.write('a/b.txt', 'b')
  await there.write('c.txt', 'c')
  expect(await ada.run('files', 'export', name, 'plain')).toMatchObject({
    code: 0,
    stdout: `${ada.at('plain')} has 2 files of ${name}, as of revision 2.\n`,
  })
  expect((await readdir(ada.at('plain'), { recursive: true })).toSorted()).toEqual(['a', 'a/b.txt', 'c.txt'])
})

test('[CLI-200] refused: a folder with something in it, no Git, no such workspace; nothing half is left', async () => {
  const { name, there } = await newWorkspace()
  await there.write('a', 'a')
  await mkdir(ada.at('full'))
  await writeFile(ada.at('full', 'mine'), 'mine')
  for (const more of [[], ['--git']])
    expect(await ada.run('files', 'export', name, 'full', ...more)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not empty'),
    })
  expect(await readdir(ada.at('full'))).toEqual(['mine'])
  const without = await ada.runWith({ PATH: ada.home }, 'files', 'export', name, 'no-git', '--git')
  expect(without).toMatchObject({ code: 69, stderr: expect.stringContaining('This needs Git') })
  expect(await readdir(ada.at('no-git'))).toEqual([])
  expect((await ada.run('files', 'export', `${site.owner}/nowhere`, 'none', '--git')).code).toBe(1)
  await expect(readdir(ada.at('none'))).rejects.toThrow()
})

test('[CLI-200] a workspace that no longer keeps its oldest changes begins with the oldest state that it keeps', async () => {
  const { name, there } = await newWorkspace()
  await there.write('stays', 'stays')
  await there.write('changes', 'old')
  await there.write('goes', 'goes')
  await there.write('changes', 'new', { ifRevision: 2 })
  await there.remove('goes')
  const [owner, repo] = name.split('/')
  // As the collection leaves it when 100,000 more changes were made.
  const { db } = site
  const id = sql`(select id from contents where owner = ${owner} and repo = ${repo})`
  await sql`delete from content_changes where content_id = ${id} and revision < 3`.execute(db)
  await sql`update contents set forgotten_revision = 3 where id = ${id}`.execute(db)
  expect((await ada.run('files', 'export', name, 'forgotten', '--git')).code).toBe(0)
  const trees = await Promise.all(
    ['HEAD~2', 'HEAD~1', 'HEAD'].map((commit) => git('forgotten', 'ls-tree', '-r', '--name-only', commit)),
  )
  expect(trees).toEqual(['changes\ngoes\nstays', 'changes\ngoes\nstays', 'changes\nstays'])
  expect(await git('forgotten', 'show', 'HEAD~2:changes')).toBe('old')
})
