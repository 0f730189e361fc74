import { expect, test } from 'vitest'
import { expectNoOrphans } from './orphans.ts'
import { addPaste, pair, startProject } from './project.ts'

const FIRST = 'sp-20260304-050607-089'

test('[E-51] a namer names while naming goes on, and once', async () => {
  await using project = await startProject()
  await using folder = await project.open()
  const { id } = await addPaste(project, folder, 'login')
  const named = await folder.rename(id, 'login-form', 'model')
  expect(named).toMatchObject({ name: 'login-form', namedBy: 'model', isNaming: false })
  expect(await folder.rename(id, 'too-late', 'text')).toEqual(named)
  expect(await project.files()).toEqual(pair('login-form', 'login'))
})

test('[E-51] a person names always, and ends naming', async () => {
  await using project = await startProject()
  await using folder = await project.open()
  const { id } = await addPaste(project, folder, 'login')
  expect(await folder.rename(id, 'mine', 'person')).toMatchObject({ namedBy: 'person', isNaming: false })
  expect(await folder.rename(id, 'by-the-model', 'model')).toMatchObject({ name: 'mine' })
  expect(await folder.rename(id, 'mine-again', 'person')).toMatchObject({ name: 'mine-again' })
})

test('[E-51] naming that ends without a name leaves a note and the files', async () => {
  await using project = await startProject()
  await using folder = await project.open()
  const { id } = await addPaste(project, folder, 'login')
  const ended = await folder.endNaming(id, 'nothing to be read')
  expect(ended).toMatchObject({ isNaming: false, namingNote: 'nothing to be read', name: FIRST })
  expect(await folder.endNaming(id, 'again')).toEqual(ended)
  expect(await project.files()).toEqual(pair(FIRST, 'login'))
})

test('[E-52][E-53] earlier names are remembered and gone back to, one after the other', async () => {
  await using project = await startProject()
  await using folder = await project.open()
  const { id } = await addPaste(project, folder, 'login')
  await folder.rename(id, 'one', 'text')
  const two = await folder.rename(id, 'two', 'person')
  expect(two.earlier).toEqual([
    { name: FIRST, namedBy: undefined },
    { name: 'one', namedBy: 'text' },
  ])
  expect(await folder.undo(id)).toMatchObject({ name: 'one', namedBy: 'text' })
  expect(await folder.undo(id)).toMatchObject({
    name: FIRST,
    namedBy: undefined,
    earlier: [],
    isNaming: false,
  })
  await expect(folder.undo(id)).rejects.toMatchObject({ code: 'nothing_to_undo' })
  expect(await project.files()).toEqual(pair(FIRST, 'login'))
})

test('[E-52] 20 earlier names are remembered', async () => {
  await using project = await startProject()
  await using folder = await project.open()
  const { id } = await addPaste(project, folder, 'login')
  for (let number = 1; number <= 25; number += 1) await folder.rename(id, `name-${number}`, 'person')
  const earlier = folder.find(id)?.earlier.map(({ name }) => name)
  expect(earlier).toEqual(Array.from({ length: 20 }, (_, index) => `name-${index + 5}`))
})

test('[E-52] the name that a paste has is not remembered twice, also when it has a number', async () => {
  await using project = await startProject()
  await project.write('login-900x600.png', 'of somebody else')
  await using folder = await project.open()
  const { id } = await addPaste(project, folder, 'login')
  const first = await folder.rename(id, 'login', 'model')
  expect(first.name).toBe('login-2')
  expect(await folder.rename(id, 'login', 'person')).toEqual({ ...first, namedBy: 'person' })
  expect(await folder.rename(id, 'login-2', 'person')).toEqual({ ...first, namedBy: 'person' })
})

test('[E-53][E-58] an earlier name that somebody has by now gets a number', async () => {
  await using project = await startProject()
  await using folder = await project.open()
  const { id } = await addPaste(project, folder, 'login')
  await folder.rename(id, 'login', 'person')
  const others = { [`${FIRST}-900x600-original.png`]: 'of somebody else' }
  await project.write(`${FIRST}-900x600-original.png`, 'of somebody else')
  expect(await folder.undo(id)).toMatchObject({ name: `${FIRST}-2`, earlier: [] })
  await expectNoOrphans(project, folder, others)
})

test('[E-55] changes of one paste come one after the other', async () => {
  await using project = await startProject()
  await using folder = await project.open()
  const { id } = await addPaste(project, folder, 'login')
  const names = ['a', 'b', 'c', 'd', 'e']
  const results = await Promise.all([
    ...names.map((name) => folder.rename(id, name, 'person')),
    folder.undo(id),
    folder.remove(id).then(() => undefined),
    folder.undo(id),
  ])
  expect(results.map((each) => each?.name)).toEqual([...names, 'd', undefined, 'd'])
  expect(folder.find(id)?.earlier.map(({ name }) => name)).toEqual([FIRST, 'a', 'b', 'c'])
  await expectNoOrphans(project, folder)
})
