import { mkdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createFileObjects } from '../../src/objects/index.ts'
import { inChunks, patterned, sha256Of } from './bytes.ts'
import { filesBelow, pathOf, temporaryFolder } from './open-files.ts'

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

test('[K-621] an object is a file named by its hash, two folders deep', async () => {
  await using folder = await temporaryFolder()
  const store = await createFileObjects({ root: folder.path })
  const bytes = patterned(3000)
  const { sha256 } = await store.put(inChunks(bytes))
  expect(await filesBelow(folder.path)).toEqual([`${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`])
  expect(bytes.equals(await readFile(pathOf(folder.path, sha256)))).toBe(true)
})

test('[K-621] files are 0640 and folders 0750, less the umask', async () => {
  await using folder = await temporaryFolder()
  const root = join(folder.path, 'made')
  const store = await createFileObjects({ root })
  const { sha256 } = await store.put(inChunks(patterned(10)))
  const path = pathOf(root, sha256)
  const allowed = ~process.umask()
  expect(await modeOf(path)).toBe(0o640 & allowed)
  for (const made of [root, join(root, 'tmp'), dirname(path), dirname(dirname(path))]) {
    expect(await modeOf(made)).toBe(0o750 & allowed)
  }
})

test('[K-602] a path of the length of a name does not lead out of the root', async () => {
  await using folder = await temporaryFolder()
  const root = join(folder.path, 'a', 'b', 'objects')
  const store = await createFileObjects({ root })
  const name = `../../${'v'.repeat(58)}`
  const victim = join(root, name.slice(0, 2), name.slice(2, 4), name)
  expect(dirname(victim)).toBe(folder.path)
  await writeFile(victim, 'not yours')
  expect(await store.get(name)).toBeUndefined()
  expect(await store.stat(name)).toBeUndefined()
  expect(await store.delete(name)).toBe(false)
  expect(await readFile(victim, 'utf8')).toBe('not yours')
})

test('[K-625] a page is listed although folders before and after it cannot be read', async () => {
  await using folder = await temporaryFolder()
  const store = await createFileObjects({ root: folder.path })
  const names = ['10', '20', '30'].map((start) => start.padEnd(64, '0'))
  for (const name of names) {
    await mkdir(dirname(pathOf(folder.path, name)), { recursive: true })
    await writeFile(pathOf(folder.path, name), 'x')
  }
  // Files where folders belong: whoever opens them as folders fails.
  await writeFile(join(folder.path, '0f'), '')
  await writeFile(join(folder.path, '10', '01'), '')
  await writeFile(join(folder.path, '31'), '')
  const [first = '', second = '', third = ''] = names
  const after = `1002${'0'.repeat(60)}`
  const { objects, next } = await store.list({ after, limit: 1 })
  expect(objects.map(({ sha256 }) => sha256)).toEqual([second])
  expect(next).toBe(second)
  await expect(store.list({ limit: 1 })).rejects.toMatchObject({ code: 'objects_unavailable' })
  await expect(store.list({ after: first, limit: 1 })).rejects.toMatchObject({ code: 'objects_unavailable' })
  await expect(store.list({ after: third, limit: 1 })).rejects.toMatchObject({ code: 'objects_unavailable' })
})

test('[K-626] a link to a file outside is no object', async () => {
  await using folder = await temporaryFolder()
  const root = join(folder.path, 'objects')
  const store = await createFileObjects({ root })
  const bytes = patterned(50)
  const { sha256 } = await store.put(inChunks(bytes))
  const outside = join(folder.path, 'outside')
  await rename(pathOf(root, sha256), outside)
  await symlink(outside, pathOf(root, sha256))
  expect(await store.get(sha256)).toBeUndefined()
  expect(await store.stat(sha256)).toBeUndefined()
  expect(await store.list({ limit: 10 })).toEqual({ objects: [] })
  expect(await store.put(inChunks(bytes))).toEqual({ sha256: sha256Of(bytes), size: 50, created: true })
  expect((await store.stat(sha256))?.size).toBe(50)
})
