import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectNoOrphans } from './orphans.ts'
import { addPaste, pair, startProject } from './project.ts'

test('[E-61] the list is newest first and the same after a restart', async () => {
  await using project = await startProject()
  const folder = await project.open()
  for (const [index, title] of ['one', 'two', undefined].entries()) {
    const { id } = await addPaste(project, folder, `n${index}`, {
      title,
      fileName: title,
      isNaming: index !== 1,
    })
    await folder.rename(id, 'shared', index === 2 ? 'person' : 'text')
    project.clock.advance(1)
  }
  const list = folder.list()
  expect(list.map(({ title, name, isNaming }) => ({ title, name, isNaming }))).toEqual([
    { title: undefined, name: 'shared-2', isNaming: false },
    { title: 'two', name: 'sp-20260304-050607-090', isNaming: false },
    { title: 'one', name: 'shared', isNaming: false },
  ])
  await addPaste(project, folder, 'fourth')
  const whole = folder.list()
  await folder[Symbol.asyncDispose]()
  await using again = await project.open()
  expect(again.list()).toEqual(whole)
  expect(again.list()[0]?.isNaming).toBe(true)
})

test.each([
  ['cut off', 200],
  ['emptied', 0],
])('[E-59] a paste whose record was %s is listed by its files', async (_, length) => {
  await using project = await startProject()
  await project.write('holiday-3x2.png', 'of somebody else')
  const folder = await project.open()
  const { id } = await addPaste(project, folder, 'login', { title: 'lost' })
  await folder.rename(id, 'login', 'text')
  await folder[Symbol.asyncDispose]()
  await truncate(join(project.state, 'records', `${id}.json`), length)
  await using again = await project.open()
  expect(again.list()).toMatchObject([
    {
      id,
      title: undefined,
      name: 'login',
      isNaming: false,
      optimized: { width: 900, height: 600, bytes: 15 },
      original: { width: 900, height: 600, bytes: 14 },
    },
  ])
  expect(await readdir(join(project.state, 'damaged'))).toEqual([`${id}.json`])
  expect(await again.rename(id, 'works', 'person')).toMatchObject({ name: 'works' })
  expect(await project.files()).toEqual({ 'holiday-3x2.png': 'of somebody else', ...pair('works', 'login') })
})

test('[E-59][E-50] a record that names a path, or another paste, is not believed', async () => {
  await using project = await startProject()
  const folder = await project.open()
  const { id } = await addPaste(project, folder, 'login')
  await folder[Symbol.asyncDispose]()
  const path = join(project.state, 'records', `${id}.json`)
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace('"sp-20260304-050607-089"', '"../../../outside"'))
  await using again = await project.open()
  expect(again.list().map(({ name }) => name)).toEqual(['sp-20260304-050607-089'])
})

test('[E-59] a damaged record without files is forgotten, and 20 of them are kept', async () => {
  await using project = await startProject()
  await (await project.open())[Symbol.asyncDispose]()
  for (let number = 10; number < 40; number += 1)
    await writeFile(join(project.state, 'records', `00000000-0000-4000-8000-0000000000${number}.json`), '{')
  await writeFile(join(project.state, 'records', 'something else'), '{')
  await using again = await project.open()
  expect(again.list()).toEqual([])
  expect(await project.ids()).toEqual([])
  expect(await readdir(join(project.state, 'damaged'))).toHaveLength(20)
})

test('[E-60] beyond the limit the oldest records go and the files stay', async () => {
  await using project = await startProject()
  await using folder = await project.open({ mostRecords: 3 })
  for (let number = 0; number < 5; number += 1) {
    await addPaste(project, folder, `n${number}`)
    project.clock.advance(1)
  }
  expect(folder.list().map(({ name }) => name.slice(-3))).toEqual(['093', '092', '091'])
  expect(await project.ids()).toHaveLength(3)
  expect(Object.keys(await project.files())).toHaveLength(10)
  await folder[Symbol.asyncDispose]()
  await using fewer = await project.open({ mostRecords: 1 })
  await expectNoOrphans(
    project,
    fewer,
    await project.files().then((files) => without(files, fewer.list()[0]?.name)),
  )
})

function without(files: Record<string, string>, name = ''): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([file]) => !file.startsWith(name)))
}
