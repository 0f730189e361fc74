import { mkdir, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { addPaste, fill, newPaste, pair, startProject } from './project.ts'

test('[E-40] the folder is made, and what is hidden in it is for this user alone and ignored by Git', async () => {
  await using project = await startProject()
  await using folder = await project.open()
  expect(folder.path).toBe(project.folder)
  expect(await readdir(project.folder)).toEqual(['.viewer'])
  const { mode } = await stat(project.state)
  expect(mode & 0o777).toBe(0o700)
  const { id } = await addPaste(project, folder, 'login')
  const record = await stat(join(project.state, 'records', `${id}.json`))
  expect(record.mode & 0o777).toBe(0o600)
  expect(await project.kept()).toContain('.gitignore')
})

test('[E-40] a project that is not there is refused', async () => {
  await using project = await startProject()
  await expect(project.open({ project: join(project.path, 'nowhere') })).rejects.toThrow('There is no folder')
})

test.each(['screenshots', 'screenshots/sp', 'screenshots/sp/.viewer', 'screenshots/sp/.viewer/records'])(
  '[E-44] a link in the place of %s is refused wherever it leads',
  async (path) => {
    await using project = await startProject()
    await using elsewhere = await startProject()
    for (const target of [elsewhere.path, join(project.path, 'inside')]) {
      await mkdir(target, { recursive: true })
      await mkdir(dirname(join(project.path, path)), { recursive: true })
      await symlink(target, join(project.path, path))
      await expect(project.open()).rejects.toThrow('is a link')
      expect(await readdir(target)).toEqual([])
      await rm(join(project.path, path))
    }
  },
)

test('[E-44] a file in the place of the folder is refused', async () => {
  await using project = await startProject()
  await writeFile(join(project.path, 'screenshots'), 'of somebody else')
  await expect(project.open()).rejects.toMatchObject({ code: 'folder_unavailable' })
})

test('[E-44][E-65] a folder that is replaced by a link, or gone, while the viewer runs is not written to', async () => {
  await using project = await startProject()
  await using elsewhere = await startProject()
  await using folder = await project.open()
  const { id } = await addPaste(project, folder, 'login')
  const stage = await folder.stage()
  await fill(stage, 'second')
  const away = join(project.path, 'away')
  await rename(project.folder, away)
  const refusal = { code: 'folder_unavailable', detail: expect.stringContaining('removed or replaced') }
  const attempts = [
    () => folder.add(stage, newPaste(project.clock.now())),
    () => folder.rename(id, 'login', 'person'),
    () => folder.remove(id),
    () => folder.stage(),
  ]
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(refusal)
  expect(folder.list()).toEqual([])
  await symlink(elsewhere.path, project.folder)
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(refusal)
  expect(await readdir(elsewhere.path)).toEqual([])
  await rm(project.folder)
  await rename(away, project.folder)
  await folder.add(stage, newPaste(project.clock.now()))
  await folder.rename(id, 'login', 'person')
  expect(await project.files()).toEqual({
    ...pair('login', 'login'),
    ...pair('sp-20260304-050607-089-2', 'second'),
  })
})
