import { readFileSync } from 'node:fs'
import { readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { NOT_STARTED } from '../../src/image/refused.ts'
import { bmpFile } from './bmp-file.ts'
import { openDarkroom } from './darkroom.ts'
import { decoders, isRunning } from './decoders.ts'
import { plain, scene } from './samples.ts'

const bmp4k = bmpFile({ width: 3840, height: 2160, bits: 24, pixels: Buffer.alloc(3840 * 2160 * 3, 77) })

function startOwn(program: string, environment: NodeJS.ProcessEnv = {}) {
  const entry = fileURLToPath(new URL(program, import.meta.url))
  return startProcess(process.execPath, [entry], { env: { ...process.env, ...environment } })
}

test('[E-22] pictures are prepared in the order they came, and one that is refused does not disturb the next', async () => {
  await using darkroom = await openDarkroom()
  const sent = [
    await plain(1600, 1600).png().toBuffer(),
    Buffer.from('text'),
    await plain(2, 2).png().toBuffer(),
  ]
  const places = sent.map((_, index) => join(darkroom.folder, `${index}`))
  await Promise.all(places.map((place, index) => writeFile(place, sent[index] ?? '')))
  const order: string[] = []
  const outcomes = await Promise.allSettled(
    places.map((place, index) =>
      darkroom
        .prepare(place, { optimized: `${place}-small`, original: `${place}-large` })
        .finally(() => order.push(`${index}`)),
    ),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(order).toEqual(['0', '1', '2'])
  expect(decoders()).toHaveLength(1)
})

deepTest(
  '[E-21][E-23] a process that dies refuses the picture it had, leaves nothing, and the next one works',
  async () => {
    await using darkroom = await openDarkroom()
    await darkroom.develop(await plain(2, 2).png().toBuffer())
    const [first = 0] = decoders()
    const refusal = darkroom.refusal(await scene(3000, 2000).png({ compressionLevel: 1 }).toBuffer())
    await waitUntil('a file to be begun', async () =>
      (await readdir(darkroom.folder)).includes('2-sent-large'),
    )
    process.kill(first, 'SIGKILL')
    expect(await refusal).toContain('damaged')
    expect(await darkroom.develop(await plain(3, 3).png().toBuffer())).toMatchObject({
      original: { width: 3 },
    })
    expect(decoders()).not.toContain(first)
  },
)

test('[E-28] a process that cannot be started refuses the picture, and the viewer goes on', async () => {
  await using darkroom = await openDarkroom({ program: '/nowhere/node' })
  const picture = await plain(2, 2).png().toBuffer()
  for (const attempt of [1, 2])
    expect([attempt, await darkroom.refusal(picture)]).toEqual([attempt, NOT_STARTED])
})

deepTest('[E-23] a process that died while it had nothing to do is replaced', async () => {
  await using darkroom = await openDarkroom()
  const picture = await plain(3, 3).png().toBuffer()
  for (let count = 0; count < 6; count += 1) {
    await darkroom.develop(picture)
    const [first = 0] = decoders()
    // The next picture comes before anybody has heard of the end, and then once everybody has.
    process.kill(first, 'SIGKILL')
    if (count % 2 === 1) await waitUntil('the process to be gone', () => !decoders().includes(first))
    expect(await darkroom.develop(picture)).toMatchObject({ original: { width: 3 } })
    expect(decoders()).not.toContain(first)
  }
})

test('[E-21][E-23] a picture that takes longer than the deadline is refused, and its process is gone', async () => {
  await using darkroom = await openDarkroom({ deadlineMs: 1 })
  expect(await darkroom.refusal(bmp4k)).toContain('too long')
  expect(decoders()).toEqual([])
})

test('[E-24] the process has no environment of ours', async () => {
  await using darkroom = await openDarkroom()
  await darkroom.develop(await plain(2, 2).png().toBuffer())
  const [pid = 0] = decoders()
  const names = readFileSync(`/proc/${pid}/environ`, 'latin1')
    .split('\0')
    .map((line) => line.split('=')[0])
  expect(names.filter((name) => !/^(MALLOC_\w+|NODE_CHANNEL_\w+|)$/.test(name ?? ''))).toEqual([])
  // So that there was something to be read.
  expect(names).toContain('MALLOC_ARENA_MAX')
})

deepTest('[E-24] the process ends when nothing is to be done', async () => {
  await using darkroom = await openDarkroom({ idleMs: 1 })
  await darkroom.develop(await plain(2, 2).png().toBuffer())
  await expect.poll(decoders).toEqual([])
})

deepTest('[E-24] the process ends with whoever started it, also if that was killed', async () => {
  await using darkroom = await openDarkroom()
  // What it leaves behind when it is killed goes with this folder.
  await using viewer = startOwn('./viewer-process.ts', { TMPDIR: darkroom.folder })
  await waitUntil('the decoder to be named', () => /^\d+\n/.test(viewer.output()), { deadlineMs: 30_000 })
  const decoder = Number(viewer.output())
  expect(isRunning(decoder)).toBe(true)
  await viewer.kill('SIGKILL')
  await waitUntil('the decoder to end', () => !isRunning(decoder))
})

test('[E-25] pictures of 4K as BMP keep the caller’s thread busy for far less than it takes to decode them', async () => {
  // In a process as small as a viewer: starting another one takes the longer the more memory one has, and a test runner
  // has much.
  await using caller = startOwn('./busy-process.ts')
  expect(await caller.exited).toEqual([0, null])
  const { eachMs, decodingMs } = JSON.parse(caller.output()) as { eachMs: number; decodingMs: number }
  expect(decodingMs).toBeGreaterThan(0)
  expect(eachMs).toBeLessThan(decodingMs / 2)
})

test('[E-26] a folder that is gone and a disk that is full are not the picture’s fault', async () => {
  await using darkroom = await openDarkroom()
  const incoming = join(darkroom.folder, 'picture')
  await writeFile(incoming, await scene(300, 200).png().toBuffer())
  const gone = { optimized: join(darkroom.folder, 'no/small'), original: join(darkroom.folder, 'no/large') }
  await expect(darkroom.prepare(incoming, gone)).rejects.toMatchObject({ code: 'folder_unavailable' })
  const full = { optimized: join(darkroom.folder, 'small'), original: join(darkroom.folder, 'large') }
  await symlink('/dev/full', full.original)
  await expect(darkroom.prepare(incoming, full)).rejects.toMatchObject({ code: 'folder_unavailable' })
})
