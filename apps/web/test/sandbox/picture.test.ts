import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, expect } from 'vitest'
import { shortenTimers } from '../short-timers.ts'
import { type Bench, type Boxes, type SandboxPage, startBench } from './bench.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench({ hasOwnBrowser: true })
}, 120_000)
afterAll(() => bench[Symbol.asyncDispose]())

interface Taken {
  width: number
  height: number
  scale: number
  colors: number[][]
}

async function take({ page }: SandboxPage, points: readonly (readonly [number, number])[]): Promise<Taken> {
  return await page.evaluate(async (places) => {
    const box = (globalThis as unknown as Boxes).boxes['first'] as unknown as {
      takePicture(): Promise<{ png: Blob; width: number; height: number; scale: number }>
    }
    const { png, width, height, scale } = await box.takePicture()
    const bitmap = await createImageBitmap(png)
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    context?.drawImage(bitmap, 0, 0)
    const colors = places.map(([x, y]) => [...(context?.getImageData(x, y, 1, 1).data ?? [])])
    return { width: bitmap.width, height: bitmap.height, scale, colors, same: [width, height] }
  }, points)
}

const SHOWN = `document.body.style.margin = 0
document.body.innerHTML = '<div id=a style="width:100px;height:50px;background:rgb(0,170,0)"></div><div style="width:100px;height:50px;background:oklch(0.7 0.15 30)"></div><div style="height:2000px"></div>'
await 0`

test('[W-333] a picture is what the frame shows, in its size, on white', async () => {
  await using sandbox = await bench.open()
  await sandbox.evaluate(SHOWN)
  const [width, height] = (await sandbox.value('[innerWidth, innerHeight]')) as [number, number]
  const picture = await take(sandbox, [
    [50, 25],
    [50, 75],
    [300, 25],
  ])
  expect(picture).toMatchObject({ width, height, scale: 1 })
  expect(picture.colors[0]).toEqual([0, 170, 0, 255])
  expect(picture.colors[1]?.[0]).toBeGreaterThan(200)
  expect(picture.colors[2]).toEqual([255, 255, 255, 255])
  // Also after it was scrolled, and again from the same frame.
  await sandbox.evaluate('scrollTo(0, 50)')
  expect(await sandbox.value('scrollY')).toBe(50)
  const scrolled = await take(sandbox, [[50, 25]])
  expect(scrolled.colors[0]).toEqual(picture.colors[1])
}, 90_000)

deepTest(
  '[W-333] a frame that hangs gives an error instead of a picture, and runs code again',
  async () => {
    await using sandbox = await bench.open()
    await sandbox.evaluate('setTimeout(() => { while (true) {} })')
    const restore = await shortenTimers(sandbox.page, 10_000)
    await expect(take(sandbox, [])).rejects.toThrow('No screenshot arrived.')
    await restore()
    expect(await sandbox.value('1')).toBe(1)
  },
  90_000,
)

deepTest(
  '[W-333] so it does by the real deadline',
  async () => {
    await using sandbox = await bench.open()
    await sandbox.evaluate('setTimeout(() => { while (true) {} })')
    await expect(take(sandbox, [])).rejects.toThrow()
    expect(await sandbox.value('1')).toBe(1)
  },
  90_000,
)
