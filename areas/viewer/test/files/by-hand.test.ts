import { copyFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectNoOrphans } from './orphans.ts'
import { addPaste, type Project, pair, startProject } from './project.ts'

async function startWithLogin(project: Project) {
  const folder = await project.open()
  const { id } = await addPaste(project, folder, 'login')
  await folder.rename(id, 'login', 'text')
  return { folder, id }
}

test('[E-56] only files of listed pastes have a path', async () => {
  await using project = await startProject()
  await project.write('other-900x600.png', 'of somebody else')
  const { folder } = await startWithLogin(project)
  await using _closed = folder
  expect(folder.pathOf('login-900x600.png')).toBe(join(project.folder, 'login-900x600.png'))
  expect(folder.pathOf('login-900x600-original.png')).toBe(join(project.folder, 'login-900x600-original.png'))
  for (const file of [
    'other-900x600.png',
    '../sp/login-900x600.png',
    './login-900x600.png',
    '.viewer',
    '',
    '__proto__',
  ])
    expect(folder.pathOf(file)).toBeUndefined()
})

test('[E-56][E-57] a link in the place of a file is not served', async () => {
  await using project = await startProject()
  const { folder, id } = await startWithLogin(project)
  await using _closed = folder
  await writeFile(join(project.path, 'secret'), 'secret')
  await rm(join(project.folder, 'login-900x600.png'))
  await symlink(join(project.path, 'secret'), join(project.folder, 'login-900x600.png'))
  expect(folder.pathOf('login-900x600.png')).toBeUndefined()
  expect(folder.list()).toEqual([])
  await expect(folder.rename(id, 'other', 'person')).rejects.toMatchObject({ code: 'paste_not_found' })
})

test.each(['login-900x600.png', 'login-900x600-original.png'])(
  '[E-57] without %s a paste is not listed, what is left stays, and it is back with the file',
  async (file) => {
    await using project = await startProject()
    const { folder, id } = await startWithLogin(project)
    await using _closed = folder
    const paste = folder.find(id)
    await rename(join(project.folder, file), join(project.path, 'moved'))
    expect(folder.list()).toEqual([])
    expect(folder.find(id)).toBeUndefined()
    for (const attempt of [
      () => folder.rename(id, 'x', 'person'),
      () => folder.undo(id),
      () => folder.remove(id),
      () => folder.endNaming(id, 'x'),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'paste_not_found' })
    expect(Object.keys(await project.files())).toHaveLength(1)
    await rename(join(project.path, 'moved'), join(project.folder, file))
    expect(folder.list()).toEqual([paste])
    expect(await folder.rename(id, 'x', 'person')).toMatchObject({ name: 'x' })
  },
)

test('[E-57][E-58] what was renamed by hand between two runs is forgotten and stays', async () => {
  await using project = await startProject()
  const { folder } = await startWithLogin(project)
  await folder[Symbol.asyncDispose]()
  await rename(join(project.folder, 'login-900x600.png'), join(project.folder, 'mine.png'))
  await using again = await project.open()
  expect(again.list()).toEqual([])
  await expectNoOrphans(project, again, {
    'mine.png': 'optimized login',
    'login-900x600-original.png': 'original login',
  })
})

test('[E-58] copies, and files that look like ours, are nobody’s but their owner’s', async () => {
  await using project = await startProject()
  const others = {
    'copy-900x600.png': 'optimized login',
    'copy-900x600-original.png': 'original login',
    'sp-20260304-050607-089-900x600.png.new': 'x',
    'login.png': '',
  }
  for (const [file, text] of Object.entries(others)) await project.write(file, text)
  const { folder, id } = await startWithLogin(project)
  await copyFile(join(project.folder, 'login-900x600.png'), join(project.folder, 'second.png'))
  await folder.rename(id, 'copy', 'person')
  await folder.undo(id)
  await folder.remove(id)
  await folder.undo(id)
  await folder[Symbol.asyncDispose]()
  await using again = await project.open()
  await expectNoOrphans(project, again, { ...others, 'second.png': 'optimized login' })
  expect(await project.files()).toMatchObject(pair('login', 'login'))
})
