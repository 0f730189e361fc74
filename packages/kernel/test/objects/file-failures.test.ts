import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { createFileObjects } from '../../src/objects/index.ts'
import { collect, found, inChunks, MIB, patterned, sha256Of } from './bytes.ts'
import { filesBelow, pathOf, temporaryFolder } from './open-files.ts'

const CHILD = fileURLToPath(new URL('put-in-child.ts', import.meta.url))
const UNAVAILABLE = { name: 'Problem', code: 'objects_unavailable' }

deepTest('[K-624] a file system that takes no more bytes is unavailable, and nothing is left', async () => {
  await using folder = await temporaryFolder()
  // The system's own limit on the size of a file stands in for a full disk: the write itself fails.
  const limited = ['-c', 'ulimit -f 4096; exec "$0" "$@"', process.execPath, CHILD, folder.path, 'large']
  await using child = startProcess('sh', limited)
  await waitUntil('the child has an outcome', () => child.output().includes('outcome'), {
    deadlineMs: 25_000,
  })
  expect(child.output()).toMatch(/outcome objects_unavailable .*EFBIG/)
  expect(await filesBelow(folder.path)).toEqual([])
})

test('[K-624] a file where a folder belongs is unavailable for that object alone', async () => {
  await using folder = await temporaryFolder()
  const store = await createFileObjects({ root: folder.path })
  const bytes = patterned(100)
  const name = sha256Of(bytes)
  await writeFile(join(folder.path, name.slice(0, 2)), 'in the way')
  await expect(store.put(inChunks(bytes))).rejects.toMatchObject(UNAVAILABLE)
  await expect(store.get(name)).rejects.toMatchObject(UNAVAILABLE)
  await expect(store.stat(name)).rejects.toMatchObject(UNAVAILABLE)
  await expect(store.delete(name)).rejects.toMatchObject(UNAVAILABLE)
  expect(await filesBelow(folder.path)).toEqual([name.slice(0, 2)])
  await rm(join(folder.path, name.slice(0, 2)))
  expect(await store.put(inChunks(bytes))).toMatchObject({ created: true })
})

test('[K-624] a folder that somebody removed costs one put and is made again', async () => {
  await using folder = await temporaryFolder()
  const store = await createFileObjects({ root: folder.path })
  const { sha256 } = await store.put(inChunks(patterned(100)))
  await rm(join(folder.path, sha256.slice(0, 2)), { recursive: true })
  await expect(store.put(inChunks(patterned(100)))).rejects.toMatchObject(UNAVAILABLE)
  expect(await store.put(inChunks(patterned(100)))).toMatchObject({ sha256, created: true })
})

test('[K-611] a file that is cut while it is read is found', async () => {
  await using folder = await temporaryFolder()
  const store = await createFileObjects({ root: folder.path })
  const { sha256 } = await store.put(inChunks(patterned(2 * MIB)))
  const content = await store.get(sha256)
  await writeFile(pathOf(folder.path, sha256), '')
  await expect(collect(found(content).stream)).rejects.toMatchObject({ name: 'ObjectCorrupt' })
})

test('[K-624] a root that cannot be made stops the start', async () => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, 'file'), '')
  const starting = createFileObjects({ root: join(folder.path, 'file', 'objects') })
  await expect(starting).rejects.toMatchObject(UNAVAILABLE)
})

test('[K-619] a root that comes back is used again without a restart', async () => {
  await using folder = await temporaryFolder()
  const root = join(folder.path, 'objects')
  const store = await createFileObjects({ root })
  const { sha256 } = await store.put(inChunks(patterned(100)))
  await rename(root, `${root}.away`)
  await expect(store.stat(sha256)).rejects.toMatchObject(UNAVAILABLE)
  await rename(`${root}.away`, root)
  expect(await store.stat(sha256)).toMatchObject({ size: 100 })
})
