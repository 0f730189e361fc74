import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeTree, readTree, requireSame } from '../src/files/tree.ts'

test('[BN-51] a copy that lacks a file, has another, or other bytes, is no copy', async () => {
  const root = await mkdtemp(join(tmpdir(), 'patchbay-tree-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  await makeTree(root, { files: 120, bytes: 12_000 })
  const tree = await readTree(root)
  expect(tree.files).toBe(120)
  await mkdir(join(root, '.patchbay'))
  await writeFile(join(root, '.patchbay', 'state'), 'of a tool')
  expect(() => requireSame('clone', tree, tree)).not.toThrow()
  requireSame('clone', tree, await readTree(root))
  const file = join(root, 'part-001', 'file-19.bin')
  await writeFile(file, 'other bytes')
  await expect(readTree(root).then((found) => requireSame('clone', tree, found))).rejects.toThrow(/120 files/)
  await rm(file)
  await expect(readTree(root).then((found) => requireSame('clone', tree, found))).rejects.toThrow(/119 files/)
})
