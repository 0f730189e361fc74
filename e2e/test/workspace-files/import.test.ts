import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { User } from '@patchbay/cli/test/user'
import { connectWorkspace, type WorkspaceFiles } from '@patchbay/client/workspaces'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
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

async function pathsOf(there: WorkspaceFiles): Promise<string[]> {
  return (await there.list({ recursive: true })).files.map(({ path }) => path)
}

interface Checkout {
  readonly git: (...args: string[]) => Promise<string>
  readonly write: (path: string, text: string) => Promise<void>
  /** Everything, as one of several people and a day later each time. */
  readonly commit: (message: string) => Promise<void>
}

async function newCheckout(folder: string): Promise<Checkout> {
  await mkdir(ada.at(folder))
  let day = 0
  const git = async (...args: string[]) => {
    const at = `${1_300_000_000 + day * 86_400} +0200`
    const person = ['Grace Hopper', 'Jürgen Ünal', 'O’Neil "Bob"'][day % 3] ?? ''
    const { stdout } = await promisify(execFile)('git', args, {
      cwd: ada.at(folder),
      env: {
        PATH: process.env['PATH'],
        HOME: ada.home,
        GIT_AUTHOR_NAME: person,
        GIT_AUTHOR_EMAIL: 'somebody@example.com',
        GIT_AUTHOR_DATE: at,
        GIT_COMMITTER_NAME: 'Committer',
        GIT_COMMITTER_EMAIL: 'committer@example.com',
        GIT_COMMITTER_DATE: at,
      },
    })
    return stdout.trimEnd()
  }
  await git('init', '--quiet', '--initial-branch=trunk')
  return {
    git,
    async write(path, text) {
      await mkdir(dirname(ada.at(folder, path)), { recursive: true })
      await writeFile(ada.at(folder, path), text)
    },
    async commit(message) {
      await git('add', '--all')
      await git('commit', '--quiet', '--allow-empty', '--no-gpg-sign', '-m', message)
      day += 1
    },
  }
}

deepTest(
  '[CLI-201] a history that is imported and exported has the same authors, dates, messages and trees',
  async () => {
    const { git, write, commit } = await newCheckout('project')
    await write('README.md', 'one\n')
    await write('src/ünïcode name.c', 'int main;\n')
    await commit('Begin with "quotes" & <brackets>')
    await git('checkout', '--quiet', '-b', 'side')
    await write('side.txt', 'side\n')
    await commit('Aside')
    await git('checkout', '--quiet', 'trunk')
    await write('README.md', 'two\n')
    await commit('Änderung')
    await git('merge', '--quiet', '--no-ff', '-m', 'Merge what was made aside', 'side')
    await git('mv', 'src', 'firmware')
    await commit('Move a folder')
    await git('mv', 'README.md', 'readme.md')
    await rm(ada.at('project', 'side.txt'))
    await write('side.txt/now a folder', 'x')
    await write('copy', 'two\n')
    await write('empty', '')
    await commit('Other letters, and a folder where a file was')

    const { name, there } = await newWorkspace()
    const imported = await ada.run('files', 'import', name, 'project')
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining('5 files and 5 changes') })
    const [last] = await there.history()
    expect(last).toMatchObject({
      reason: 'Other letters, and a folder where a file was',
      by: { handle: site.owner },
      author: { name: 'Jürgen Ünal' },
    })
    expect((await ada.run('files', 'export', name, 'back', '--git')).code).toBe(0)
    const format = ['log', '--first-parent', '--format=%an|%at|%s|%T']
    const before = await git(...format)
    const { stdout: after } = await promisify(execFile)('git', format, { cwd: ada.at('back') })
    expect(after.trimEnd().split('\n')).toEqual(before.split('\n'))
  },
)

deepTest('[CLI-201] what a workspace cannot hold is left out and said so, until it can', async () => {
  const { write, commit, git } = await newCheckout('odd')
  await write('good.txt', 'good')
  await symlink('/etc/passwd', ada.at('odd', 'link'))
  await write('con', 'a device')
  await write('line\nbreak', 'x')
  await write('Same.txt', '1')
  await write('same.txt', '2')
  await writeFile(Buffer.concat([Buffer.from(ada.at('odd', 'not-utf8-')), Buffer.from([0xff])]), 'x')
  await mkdir(ada.at('odd', 'module'))
  await git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`)
  await writeFile(ada.at('odd', 'huge'), '')
  await truncate(ada.at('odd', 'huge'), 100 * 1024 ** 2 + 1)
  await commit('Odd things')
  await commit('Nothing')
  await rm(ada.at('odd', 'link'))
  await write('link', 'a file now')
  await rm(ada.at('odd', 'good.txt'))
  await symlink('link', ada.at('odd', 'good.txt'))
  await commit('Links the other way around')
  const { name, there } = await newWorkspace()
  const { stdout, code } = await ada.run('files', 'import', name, 'odd')
  expect(code).toBe(0)
  for (const path of [
    'good.txt  (a symbolic link)',
    'con ',
    'linebreak',
    'same.txt',
    'module',
    'huge',
    'not-utf8-',
  ])
    expect(stdout).toContain(`  ${path}`)
  expect(stdout).toContain('1 commit changed nothing')
  expect(await pathsOf(there)).toEqual(['Same.txt', 'link'])
})

deepTest('[CLI-201] nothing that a hostile repository names is started', async () => {
  const { git, write, commit } = await newCheckout('hostile')
  const marker = ada.at('started')
  const program = ada.at('program.sh')
  await writeFile(program, `#!/bin/sh\necho "$0 $*" >> '${marker}'\ncat\n`)
  await chmod(program, 0o755)
  await write('.gitattributes', '* diff=evil filter=evil\n')
  await write('$(touch started)', 'x')
  await write('--output=started', 'x')
  await write('-rf', 'x')
  await commit('One')
  await write('-rf', 'y')
  // As `git commit -S` would leave it: looking at it starts the program that checks signatures.
  await git('add', '--all')
  const unsigned = await git('commit-tree', await git('write-tree'), '-p', 'HEAD', '-m', 'Signed')
  const raw = await git('cat-file', 'commit', unsigned)
  const signed = raw.replace(
    /\n\n/,
    '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n',
  )
  await writeFile(ada.at('commit'), `${signed}\n`)
  await git('reset', '--quiet', '--hard', await git('hash-object', '-t', 'commit', '-w', ada.at('commit')))
  const hooks = join('.git', 'hooks')
  await mkdir(ada.at('hostile', hooks), { recursive: true })
  for (const hook of ['post-checkout', 'pre-commit', 'post-index-change', 'reference-transaction'])
    await writeFile(ada.at('hostile', hooks, hook), `#!/bin/sh\ntouch '${marker}'\n`, { mode: 0o755 })
  for (const [key, value] of Object.entries({
    'core.fsmonitor': program,
    'core.pager': program,
    'core.sshCommand': program,
    'core.editor': program,
    'core.askPass': program,
    'diff.external': program,
    'diff.evil.textconv': program,
    'diff.evil.command': program,
    'filter.evil.clean': program,
    'filter.evil.smudge': program,
    'filter.evil.process': program,
    'log.showSignature': 'true',
    'gpg.program': program,
    'alias.rev-list': `!${program}`,
    'pager.rev-list': program,
  }))
    await git('config', key, value)
  await rm(marker, { force: true })
  const { name, there } = await newWorkspace()
  expect((await ada.run('files', 'import', name, 'hostile')).code).toBe(0)
  expect(await pathsOf(there)).toEqual(['$(touch started)', '--output=started', '-rf', '.gitattributes'])
  expect((await there.history()).map(({ reason }) => reason)).toEqual(['Signed', 'One'])

  // A clone that is not whole fetches what it lacks with the program that its configuration names.
  const lacking = await git('rev-parse', 'HEAD:-rf')
  await rm(ada.at('hostile', '.git', 'objects', lacking.slice(0, 2), lacking.slice(2)))
  for (const [key, value] of Object.entries({
    'core.repositoryFormatVersion': '1',
    'extensions.partialClone': 'origin',
    'remote.origin.promisor': 'true',
    'remote.origin.url': `ext::${program} %S`,
    'remote.origin.uploadpack': program,
    'protocol.ext.allow': 'always',
    'protocol.allow': 'always',
  }))
    await git('config', key, value)
  const { name: second } = await newWorkspace()
  expect(await ada.run('files', 'import', second, 'hostile')).toMatchObject({ code: 1 })
  expect(await readdir(ada.home)).not.toContain('started')
})

test('[CLI-201] a folder becomes one change, at the top or in a new folder', async () => {
  await mkdir(ada.at('plain', 'deep'), { recursive: true })
  await writeFile(ada.at('plain', 'a.txt'), 'a')
  await writeFile(ada.at('plain', 'deep', 'b.txt'), 'a')
  await symlink('a.txt', ada.at('plain', 'link'))
  const { name, there } = await newWorkspace()
  const { code, stdout } = await ada.run('files', 'import', name, 'plain', '--reason', 'From the old disk')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/2 files of .*\n.*\n {2}link/)])
  expect(await there.history()).toMatchObject([{ reason: 'From the old disk', paths: 2 }])

  const again = await ada.run('files', 'import', name, 'plain')
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('has files already') })
  const taken = await ada.run('files', 'import', name, 'plain', '--into', 'DEEP')
  expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining('has DEEP already') })
  expect((await ada.run('files', 'import', name, 'plain', '--into', 'lib/plain/')).code).toBe(0)
  expect(await pathsOf(there)).toEqual(['a.txt', 'deep/b.txt', 'lib/plain/a.txt', 'lib/plain/deep/b.txt'])
})

test('[CLI-201] refused: nothing to import, no Git, wrong words, a key that may not', async () => {
  const { name, there } = await newWorkspace()
  await mkdir(ada.at('nothing'))
  await newCheckout('unborn')
  const broken = ada.at('broken')
  await mkdir(join(broken, '.git'), { recursive: true })
  const run = (...args: string[]) => ada.run('files', 'import', name, ...args)
  expect(await run('nothing')).toMatchObject({ code: 1, stderr: expect.stringContaining('has no files') })
  expect(await run('unborn')).toMatchObject({ code: 1, stderr: expect.stringContaining('no commits yet') })
  expect(await run('broken')).toMatchObject({ code: 1, stderr: expect.stringContaining('Git could not') })
  expect(await run('absent')).toMatchObject({ code: 1 })
  expect(await run('unborn', '--reason', 'x')).toMatchObject({ code: 2 })
  expect(await run('nothing', '--into', '../up')).toMatchObject({ code: 2 })
  const without = await ada.runWith({ PATH: ada.home }, 'files', 'import', name, 'unborn')
  expect(without).toMatchObject({ code: 69, stderr: expect.stringContaining('This needs Git') })
  await using reader = await site.shell(`files:read:${site.owner}/*`)
  await writeFile(reader.at('x'), 'x')
  const refused = await reader.run('files', 'import', name, '.')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`files:write:${name}`) })
  expect(await pathsOf(there)).toEqual([])
})

deepTest(
  '[CLI-201] after an import that was killed, another one changes nothing and says what to do',
  async () => {
    const { write, commit } = await newCheckout('long')
    for (let index = 0; index < 30; index += 1) {
      await write('counter', `${index}`)
      await commit(`Count to ${index}`)
    }
    const { name, there } = await newWorkspace()
    const running = ada.start('files', 'import', name, 'long')
    await waitUntil('something is there', async () => (await there.history()).length > 0, {
      deadlineMs: 60_000,
    })
    running.child.kill('SIGKILL')
    await running.ended
    expect(await ada.run('files', 'import', name, 'long')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('stopped half way'),
    })
    const reasons = (await there.history()).map(({ reason }) => reason).toReversed()
    expect(reasons).toEqual(reasons.map((_, index) => `Count to ${index}`))
    expect((await ada.run('files', 'import', name, 'long', '--into', 'again')).code).toBe(0)
    expect(new TextDecoder().decode(await there.read('again/counter'))).toBe('29')
  },
)
