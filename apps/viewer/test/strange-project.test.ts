import { truncate } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { greeting } from '../src/run.ts'
import { png } from './pictures.ts'
import { startTestViewer } from './start.ts'

test('[E-168] the path of a project brings nothing into a terminal but readable characters', () => {
  const folder = '/home/ada/\u001b]0;owned\u0007\u009b31m\r\n\u202eboard/screenshots/sp'
  const said = greeting(
    { url: 'http://localhost:8797', folder, naming: 'off' },
    {
      model: undefined,
      modelProvider: 'anthropic',
      modelUrl: undefined,
    },
  )
  expect(said).toMatch(/^[\x20-\x7e\n]+$/)
  expect(said.split('\n')).toHaveLength(5)
})

test('[E-169] a file that was put in the place of a paste is not read when it is larger than any agent gets', async () => {
  await using viewer = await startTestViewer()
  const { optimized } = await viewer.paste(png(4, 4))
  const never = new AbortController().signal
  expect((await viewer.running.port.readPaste(optimized.file, never)).byteLength).toBe(optimized.bytes)
  await truncate(optimized.absolute_path, 64 * 1024 * 1024)
  await expect(viewer.running.port.readPaste(optimized.file, never)).rejects.toMatchObject({
    code: 'body_too_large',
  })
})
