import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { SpoolFile } from '../../src/feeds/spool-file.io.ts'
import { temporaryFolder } from '../start.ts'
import { sha256Of } from './reading.ts'

const KIB = 'ä'.repeat(512)

test.each([
  ['nothing', 0, []],
  ['1 MiB', 1024, []],
  ['a KiB more', 1025, ['list.json']],
  ['5 MiB', 5 * 1024, ['list.json']],
])('[A-490] of %s every reader gets all bytes', async (_, kibs, files) => {
  await using folder = await temporaryFolder()
  await using list = new SpoolFile(join(folder.path, 'list.json'))
  for (let written = 0; written < kibs; written += 1) await list.write(KIB)
  const { content, read } = await list.finish()
  const expected = Buffer.from(KIB.repeat(kibs))
  expect(content).toEqual({ size: expected.byteLength, sha256: sha256Of(expected) })
  const bodies = await Promise.all([buffer(read()), buffer(read())])
  for (const body of bodies) expect(body.equals(expected)).toBe(true)
  expect(await readdir(folder.path)).toEqual(files)
})
