import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SettableClock } from '@patchbay/testkit/clock'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { removeLeftovers } from '../../src/objects/file-temporary.ts'
import { createFileObjects } from '../../src/objects/index.ts'
import { collect, found, patterned, sha256Of } from './bytes.ts'
import { filesBelow, temporaryFolder } from './open-files.ts'

const CHILD = fileURLToPath(new URL('put-in-child.ts', import.meta.url))
const HOUR_MS = 3_600_000

/** Runs a put in a process of its own and kills that process as soon as it says the word. */
async function killAfter(word: string, root: string, mode: 'whole' | 'half'): Promise<void> {
  await using child = startProcess(process.execPath, [CHILD, root, mode])
  await waitUntil(`the child says ${word}`, () => child.output().includes(word), { deadlineMs: 25_000 })
  await child.kill('SIGKILL')
}

deepTest('[K-622] what was acknowledged is there after a kill', async () => {
  await using folder = await temporaryFolder()
  await killAfter('stored', folder.path, 'whole')
  const bytes = patterned(100_000)
  const content = await (await createFileObjects({ root: folder.path })).get(sha256Of(bytes))
  expect(bytes.equals(await collect(found(content).stream))).toBe(true)
})

test('[K-622][K-623] a killed put leaves no object, and what it left is removed a day later', async () => {
  await using folder = await temporaryFolder()
  await killAfter('half', folder.path, 'half')
  expect(await filesBelow(folder.path)).toEqual([expect.stringMatching(/^tmp\/[0-9a-f-]{36}\.part$/)])
  const clock = new SettableClock(new Date())
  const store = await createFileObjects({ root: folder.path, clock })
  expect(await store.list({ limit: 10 })).toEqual({ objects: [] })
  clock.advance(23 * HOUR_MS)
  await createFileObjects({ root: folder.path, clock })
  expect(await readdir(join(folder.path, 'tmp'))).toHaveLength(1)
  clock.advance(2 * HOUR_MS)
  await createFileObjects({ root: folder.path, clock })
  expect(await readdir(join(folder.path, 'tmp'))).toEqual([])
})

test('[K-623] only old files with our kind of name are removed, and not too many at once', async () => {
  await using folder = await temporaryFolder()
  const now = new Date()
  const old = new Date(now.getTime() - 48 * HOUR_MS)
  const foreign = ['notes.txt', 'x.part', '.nfs000']
  const ours = Array.from({ length: 9 }, () => `${crypto.randomUUID()}.part`)
  for (const name of [...foreign, ...ours]) {
    await writeFile(join(folder.path, name), 'x')
    await utimes(join(folder.path, name), old, old)
  }
  const young = `${crypto.randomUUID()}.part`
  await writeFile(join(folder.path, young), 'x')
  const before = new Date(now.getTime() - 24 * HOUR_MS)
  await removeLeftovers(folder.path, before, 4)
  expect((await readdir(folder.path)).length).toBeGreaterThanOrEqual(13 - 4)
  await removeLeftovers(folder.path, before)
  expect((await readdir(folder.path)).toSorted()).toEqual([...foreign, young].toSorted())
})
