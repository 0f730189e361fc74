import { randomUUID } from 'node:crypto'
import { lstat, mkdir, open, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PASTE_NAME_PATTERN } from '@patchbay/contracts/viewer'
import { expect, test } from 'vitest'
import type { Around } from '../../src/files/disk.io.ts'
import { diskFailure, withoutLinks } from './crash.ts'
import { expectNoOrphans } from './orphans.ts'
import { addPaste, fill, newPaste, pair, startProject } from './project.ts'

const FIRST = 'sp-20260304-050607-089'

test('[E-45] a staging place is for this user alone and gone after it was discarded', async () => {
  await using project = await startProject()
  await using folder = await project.open()
  const [one, two] = [await folder.stage(), await folder.stage()]
  expect(dirname(one.incoming)).not.toBe(dirname(two.incoming))
  expect((await stat(dirname(one.optimized))).mode & 0o777).toBe(0o700)
  await fill(one, 'login')
  await one.discard()
  await one.discard()
  expect(await readdir(join(project.state, 'staging'))).toEqual([two.id])
})

test('[E-45] what nobody discarded is gone after the next start', async () => {
  await using project = await startProject()
  const around: Around = async (step, call) => {
    if (step === 'delete tree') throw diskFailure('EACCES')
    return await call()
  }
  const before = await project.open({ around })
  await fill(await before.stage(), 'login')
  await before[Symbol.asyncDispose]()
  await rm(join(project.state, 'lock'))
  expect(await readdir(join(project.state, 'staging'))).toHaveLength(1)
  await using folder = await project.open()
  await expectNoOrphans(project, folder)
})

test('[E-46] a paste is two files under its time and size, and its staging place is gone', async () => {
  await using project = await startProject()
  await using folder = await project.open()
  const paste = await addPaste(project, folder, 'login', { title: 'The login', fileName: 'a.png' })
  expect(await project.files()).toEqual(pair(FIRST, 'login'))
  expect(paste).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    createdAt: project.clock.now(),
    title: 'The login',
    name: FIRST,
    namedBy: undefined,
    earlier: [],
    isNaming: true,
    namingNote: undefined,
    optimized: { file: `${FIRST}-900x600.png`, width: 900, height: 600, bytes: 15 },
    original: { file: `${FIRST}-900x600-original.png`, width: 1800, height: 1200, bytes: 14 },
    source: { type: 'image/png', bytes: 10, fileName: 'a.png' },
  })
  expect(folder.find(paste.id)).toEqual(paste)
  await expectNoOrphans(project, folder)
})

test.each([
  ['an optimized file', `${FIRST}-900x600.png`],
  ['an original', `${FIRST}-900x600-original.png`],
  ['a file in capitals', `${FIRST}-900x600.PNG`],
])('[E-47][E-58] %s of somebody else keeps its name', async (_, file) => {
  await using project = await startProject()
  await project.write(file, 'of somebody else')
  await using folder = await project.open()
  await addPaste(project, folder, 'login')
  expect(await project.files()).toEqual({ [file]: 'of somebody else', ...pair(`${FIRST}-2`, 'login') })
})

test('[E-47][E-58] a folder and a link that leads nowhere keep their names', async () => {
  await using project = await startProject()
  await using folder = await project.open()
  await mkdir(join(project.folder, `${FIRST}-900x600.png`))
  await symlink(join(project.path, 'outside'), join(project.folder, `${FIRST}-2-900x600-original.png`))
  const { name } = await addPaste(project, folder, 'login')
  expect(name).toBe(`${FIRST}-3`)
  await expect(lstat(join(project.path, 'outside'))).rejects.toThrow('ENOENT')
})

test.each([
  ['with links', undefined],
  ['without links', withoutLinks],
])('[E-48][E-64] on a disk %s whoever takes a name in the same instant keeps it', async (_, inner) => {
  await using project = await startProject()
  const won: Record<string, string> = {}
  const fillers: (() => Promise<void>)[] = []
  let isRacing = false
  // Another program that makes the names a moment after they were found free, the second file as well as the first, and
  // fills some of them at once and some later.
  const around: Around = async (step, call) => {
    const count = Object.keys(won).length
    if (isRacing && (step === 'link' || step === 'reserve') && count < 6) {
      const number = count === 0 ? '' : `-${count + 1}`
      const file = `${FIRST}${number}-900x600${count % 2 === 0 ? '' : '-original'}.png`
      won[file] = 'of the other program'
      const handle = await open(join(project.folder, file), 'wx')
      const fillIt = async () => {
        await handle.writeFile('of the other program')
        await handle.close()
      }
      if (count < 3) fillers.push(fillIt)
      else await fillIt()
    }
    return await (inner ?? ((__, work) => work()))(step, call)
  }
  await using folder = await project.open({ around })
  isRacing = true
  const { name } = await addPaste(project, folder, 'login')
  for (const fillIt of fillers) await fillIt()
  expect(Object.keys(won)).toHaveLength(6)
  expect(await project.files()).toEqual({ ...won, ...pair(name, 'login') })
  await expectNoOrphans(project, folder, won)
})

test('[E-48][E-64] whoever writes into a reserved file before the picture is there keeps it', async () => {
  await using project = await startProject()
  let reserved = 0
  await using folder = await project.open({
    async around(step, call) {
      const result = await withoutLinks(step, call)
      // The first one was to try out the disk.
      if (step === 'reserve' && ++reserved === 2)
        await project.write(`${FIRST}-900x600.png`, 'of the other program')
      return result
    },
  })
  await addPaste(project, folder, 'login')
  const others = { [`${FIRST}-900x600.png`]: 'of the other program' }
  expect(await project.files()).toEqual({ ...others, ...pair(`${FIRST}-2`, 'login') })
  await expectNoOrphans(project, folder, others)
})

test('[E-48] a program that takes every name ends in words, and nothing is left', async () => {
  await using project = await startProject()
  let isRacing = false
  let count = 0
  await using folder = await project.open({
    async around(step, call) {
      if (step === 'link' && isRacing) {
        const number = count++ === 0 ? '' : `-${count}`
        await project.write(`${FIRST}${number}-900x600.png`, 'of the other program')
      }
      return await call()
    },
  })
  isRacing = true
  const stage = await folder.stage()
  await fill(stage, 'login')
  await expect(folder.add(stage, newPaste(project.clock.now()))).rejects.toThrow('takes every name')
  await stage.discard()
  await expectNoOrphans(project, folder, await project.files())
  expect(folder.list()).toEqual([])
})

test.each([
  ['with links', undefined],
  ['without links', withoutLinks],
])(
  '[E-49][E-64] 20 identical pastes at once, then renamed to one name at once, on a disk %s',
  async (_, around) => {
    await using project = await startProject()
    await using folder = await project.open(around && { around })
    const name = `${'long-'.repeat(11)}name`
    const pastes = await Promise.all(
      Array.from({ length: 20 }, (__, index) => addPaste(project, folder, `n${index}`)),
    )
    await expectNoOrphans(project, folder)
    expect(new Set(pastes.map((each) => each.name)).size).toBe(20)
    const renamed = await Promise.all(pastes.map(({ id }) => folder.rename(id, name, 'model')))
    await expectNoOrphans(project, folder)
    expect(new Set(renamed.map((each) => each.name)).size).toBe(20)
    for (const each of renamed) expect(each.name).toMatch(new RegExp(PASTE_NAME_PATTERN))
    const files = await project.files()
    expect(Object.keys(files)).toHaveLength(40)
    for (const [index, { id }] of pastes.entries())
      expect(files[folder.find(id)?.optimized.file ?? '']).toBe(`optimized n${index}`)
  },
)

test('[E-50] what would become a path is checked here as well', async () => {
  await using project = await startProject()
  await using folder = await project.open()
  const { id } = await addPaste(project, folder, 'login')
  const files = await project.files()
  for (const name of ['../../etc/x', '/etc/x', 'a b', '', 'x'.repeat(61), 'a\0b'])
    await expect(folder.rename(id, name, 'person')).rejects.toThrow(TypeError)
  const stage = await folder.stage()
  await fill(stage, 'second')
  const { pictures } = newPaste(project.clock.now())
  const wide = { ...pictures, optimized: { ...pictures.optimized, width: '../..' as unknown as number } }
  await expect(folder.add(stage, newPaste(project.clock.now(), { pictures: wide }))).rejects.toThrow(
    TypeError,
  )
  await expect(folder.add({ ...stage, id: '../..' }, newPaste(project.clock.now()))).rejects.toThrow(
    TypeError,
  )
  await expect(folder.rename('../..', 'login', 'person')).rejects.toMatchObject({ code: 'paste_not_found' })
  await stage.discard()
  expect(await project.files()).toEqual(files)
  await using other = await startProject()
  await expect(other.open({ newId: () => '../../..' })).rejects.toThrow(TypeError)
  const ids = [randomUUID(), '../../..']
  await using wrong = await other.open({ newId: () => ids.shift() ?? '' })
  await expect(wrong.stage()).rejects.toThrow(TypeError)
})

test('[E-50] a staging place without both pictures, or that was taken in already, is thrown back', async () => {
  await using project = await startProject()
  await using folder = await project.open()
  const stage = await folder.stage()
  await writeFile(stage.optimized, 'one')
  await expect(folder.add(stage, newPaste(project.clock.now()))).rejects.toThrow('both pictures')
  await symlink('/etc/hostname', stage.original)
  await expect(folder.add(stage, newPaste(project.clock.now()))).rejects.toThrow('both pictures')
  await rm(stage.original)
  await writeFile(stage.original, 'two')
  await folder.add(stage, newPaste(project.clock.now()))
  await expect(folder.add(stage, newPaste(project.clock.now()))).rejects.toThrow('not in use')
})

test('[E-66] pictures and record are flushed before the names, the names before the staging place goes', async () => {
  await using project = await startProject()
  const steps: string[] = []
  await using folder = await project.open({
    async around(step, call) {
      const result = await call()
      steps.push(step)
      return result
    },
  })
  const stage = await folder.stage()
  await fill(stage, 'login')
  steps.length = 0
  await folder.add(stage, newPaste(project.clock.now()))
  const [first, last] = [steps.indexOf('link'), steps.lastIndexOf('link')]
  const before = steps.slice(0, first)
  expect(before.filter((step) => step === 'flush file')).toHaveLength(3)
  expect(before.filter((step) => step === 'flush folder')).toHaveLength(3)
  expect(steps.slice(last + 1)).toEqual(['flush folder', 'delete', 'delete', 'delete tree'])
  expect(await readFile(join(project.folder, `${FIRST}-900x600.png`), 'utf8')).toBe('optimized login')
})
