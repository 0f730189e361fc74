import { expect } from 'vitest'
import type { PasteFolder } from '../../src/ports.ts'
import type { Project } from './project.ts'

/**
 * Nothing is in the folder but both files of every listed paste and what belongs to others; nothing is kept but a record for
 * each paste, and both files of the removed ones.
 */
export async function expectNoOrphans(
  project: Project,
  folder: PasteFolder,
  others: Readonly<Record<string, string>> = {},
): Promise<void> {
  const listed = folder.list()
  const files = await project.files()
  const expected = [
    ...listed.flatMap(({ optimized, original }) => [optimized.file, original.file]),
    ...Object.keys(others),
  ]
  expect(Object.keys(files)).toEqual(expected.toSorted())
  expect(files).toMatchObject(others)
  for (const { optimized, original } of listed) {
    const [, picture] = /^optimized (.+)$/.exec(files[optimized.file] ?? '') ?? []
    expect(files[original.file]).toBe(`original ${picture}`)
  }
  const ids = new Set(listed.map(({ id }) => id))
  const removed = (await project.ids()).filter((id) => !ids.has(id))
  const kept = (await project.kept()).filter((path) => !/^lock(?:\.[0-9a-f-]{36})?$/.test(path))
  const wanted = [
    '.gitignore',
    ...[...ids, ...removed].map((id) => `records/${id}.json`),
    ...removed.flatMap((id) => [`trash/${id}.png`, `trash/${id}-original.png`]),
  ]
  expect(kept).toEqual(wanted.toSorted())
}
