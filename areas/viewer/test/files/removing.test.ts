import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { expectNoOrphans } from './orphans.ts'
import { addPaste, type Project, pair, startProject } from './project.ts'

const DAY_MS = 86_400_000

async function startWithRemoved(project: Project) {
  const folder = await project.open()
  const { id } = await addPaste(project, folder, 'login')
  await folder.rename(id, 'login', 'text')
  await folder.remove(id)
  return { folder, id }
}

test('[E-54] a removed paste is gone from the folder and the list, and comes back with its earlier names', async () => {
  await using project = await startProject()
  const { folder, id } = await startWithRemoved(project)
  await using _closed = folder
  expect(await project.files()).toEqual({})
  expect(folder.list()).toEqual([])
  expect(folder.find(id)).toBeUndefined()
  expect(folder.pathOf('login-900x600.png')).toBeUndefined()
  await expect(folder.remove(id)).rejects.toMatchObject({ code: 'paste_not_found' })
  await expect(folder.rename(id, 'other', 'person')).rejects.toMatchObject({ code: 'paste_not_found' })
  await expectNoOrphans(project, folder)
  expect(await folder.undo(id)).toMatchObject({ name: 'login', namedBy: 'text', earlier: [{ name: /^sp-/ }] })
  expect(await project.files()).toEqual(pair('login', 'login'))
  await expectNoOrphans(project, folder)
})

test('[E-54] it comes back under another number if its name was taken, also after a restart', async () => {
  await using project = await startProject()
  const { folder, id } = await startWithRemoved(project)
  await folder[Symbol.asyncDispose]()
  await project.write('login-900x600.png', 'of somebody else')
  await using again = await project.open()
  expect(await again.undo(id)).toMatchObject({ name: 'login-2' })
  expect(await project.files()).toEqual({
    'login-900x600.png': 'of somebody else',
    ...pair('login-2', 'login'),
  })
})

test('[E-54] one that was still being named is named on', async () => {
  await using project = await startProject()
  await using folder = await project.open()
  const { id } = await addPaste(project, folder, 'login')
  await folder.remove(id)
  expect(await folder.undo(id)).toMatchObject({ isNaming: true })
})

test('[E-54] after a day it is deleted at a start', async () => {
  await using project = await startProject()
  const { folder, id } = await startWithRemoved(project)
  await folder[Symbol.asyncDispose]()
  project.clock.advance(DAY_MS - 1)
  await (await project.open())[Symbol.asyncDispose]()
  expect(await project.ids()).toEqual([id])
  project.clock.advance(1)
  await using again = await project.open()
  expect(await project.ids()).toEqual([])
  await expectNoOrphans(project, again)
})

test('[E-54] after a day it is deleted while the viewer runs', async () => {
  await using project = await startProject()
  await using folder = await project.open({ tidyEveryMs: 5 })
  const { id } = await addPaste(project, folder, 'login')
  await folder.remove(id)
  project.clock.advance(DAY_MS)
  await expect(folder.undo(id)).rejects.toMatchObject({ code: 'paste_not_found' })
  for (let tries = 0; tries < 2_000 && (await project.ids()).length > 0; tries += 1) await sleep(5)
  await expectNoOrphans(project, folder)
  expect(await project.ids()).toEqual([])
})
