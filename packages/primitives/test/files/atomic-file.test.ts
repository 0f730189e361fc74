import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAtomically, writeAtomically, writeAtomicallySync } from '../../src/files/index.ts'

let folder = ''
let path = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patchbay-atomic-'))
  path = join(folder, 'it.json')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('[PR-8] a reader sees one whole content while many write', async () => {
  const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(200_000))
  await writeAtomically(path, texts[0] ?? '')
  for (let round = 0; round < 10; round += 1) {
    const writing = texts.map((text) => writeAtomically(path, text, { id: randomUUID() }))
    for (let look = 0; look < 10; look += 1) expect(texts).toContain(await readFile(path, 'utf8'))
    await Promise.all(writing)
  }
  expect(await readdir(folder)).toEqual(['it.json'])
})

test('[PR-8] files are for their user alone unless told otherwise, and so are folders', async () => {
  await writeAtomically(path, 'x')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  writeAtomicallySync(join(folder, 'sync'), 'x')
  expect((await stat(join(folder, 'sync'))).mode & 0o777).toBe(0o600)
  await writeAtomically(join(folder, 'new', 'it'), 'x', { mode: 0o640, folderMode: 0o700 })
  expect((await stat(join(folder, 'new'))).mode & 0o777).toBe(0o700)
  expect((await stat(join(folder, 'new', 'it'))).mode & 0o777).toBe(0o640)
})

test('[PR-8] a write that fails leaves nothing beside what was there', async () => {
  await mkdir(join(path, 'full'), { recursive: true })
  await expect(writeAtomically(path, 'x', { id: randomUUID() })).rejects.toThrow()
  await expect(writeAtomically(path, 'x')).rejects.toThrow()
  expect(await readdir(folder)).toEqual(['it.json'])
})

test('[PR-8] the one writer overwrites what a killed one left', async () => {
  await writeFile(`${path}.new`, 'half of something longer')
  await writeAtomically(path, 'whole')
  await writeFile(`${path}.new`, 'half of something longer')
  writeAtomicallySync(path, 'whole, again')
  expect(await readFile(path, 'utf8')).toBe('whole, again')
  expect(await readdir(folder)).toEqual(['it.json'])
})

test('[PR-9] of many that create a file one succeeds, and its content stays', async () => {
  const create = (text: string) => createAtomically(path, text, { id: randomUUID() })
  const texts = Array.from({ length: 20 }, (_, index) => String(index))
  const created = await Promise.all(texts.map(create))
  expect(created.filter(Boolean)).toHaveLength(1)
  expect(await readFile(path, 'utf8')).toBe(texts[created.indexOf(true)])
  expect(await create('later')).toBe(false)
  expect(await readdir(folder)).toEqual(['it.json'])
})
