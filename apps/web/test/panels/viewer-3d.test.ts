import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, depth, sample } from '@patchbay/testkit/depth'
import { describe, expect, test } from 'vitest'
import { shows } from '../bench.ts'
import type { Site } from '../site.ts'
import { dropFile, makeFile } from './files.ts'
import { cubeGlb, cubeGltf, plainPng, REFUSED } from './models.ts'
import { soon, usePanelBench } from './panel-bench.ts'
import { colorShares } from './pixels.ts'

// Reading back what software has drawn is slow, and the browser says so now and then.
const SLOW_READING = /GPU stall due to ReadPixels/
const panels = usePanelBench({
  args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  tolerated: SLOW_READING,
})
const PATIENT = 60_000
/** Software draws every picture, and the page is asked for many. */
const SMALL = { width: 500, height: 400 }
const open = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'model/gltf-binary', buffer })

describe('a model from a file', () => {
  deepTest(
    '[W-309] has its colors, fits into the view, and tells its triangles and size',
    async () => {
      await using visit = await panels.show({ kind: 'viewer-3d' })
      const { page } = visit
      await open(page, 'cube.glb', cubeGlb())
      await page.getByText(/^cube\.glb · 12 triangles · 1 × 1 × 1 m · 1\.\d+ kB$/).waitFor()
      await expect.poll(async () => (await colorShares(page)).blue, soon).toBeGreaterThan(0.02)
      const { red, green, edge } = await colorShares(page)
      expect(Math.min(red, green)).toBeGreaterThan(0.01)
      expect(edge).toBe(0)
      expect(await visit.stored()).toEqual([])
    },
    PATIENT,
  )

  test.each(
    sample([
      ['a texture', 'cube.glb', cubeGlb({ texture: plainPng(8, 8, [30, 190, 50]) })],
      [
        'data and a texture inside a .gltf',
        'cube.gltf',
        cubeGltf({ texture: plainPng(8, 8, [30, 190, 50]) }),
      ],
    ]),
  )(
    '[W-309] %s is shown',
    async (_, name, file) => {
      await using visit = await panels.show({ kind: 'viewer-3d' })
      await open(visit.page, name, file)
      await visit.page.getByText('12 triangles').waitFor()
      await expect.poll(async () => (await colorShares(visit.page)).green, soon).toBeGreaterThan(0.05)
    },
    PATIENT,
  )

  deepTest(
    '[W-309] can be dropped',
    async () => {
      await using visit = await panels.show({ kind: 'viewer-3d', mayChange: false })
      const { page } = visit
      await using file = await makeFile('dropped.glb', cubeGlb())
      await dropFile(page, page.getByRole('application'), file.path)
      expect(await shows(page.getByText(/^dropped\.glb · 12 triangles/))).toBe(true)
    },
    PATIENT,
  )
})

test(
  '[W-425] L3: a model from a file says that it is in this page alone, until that is dismissed; one from an address says nothing',
  async () => {
    await using visit = await panels.show(
      { kind: 'viewer-3d', state: { url: 'https://models.example/cube.glb' } },
      { prepare: serveModels([]) },
    )
    const { page } = visit
    const told = page.getByText('Only you can see this model')
    await page.getByText('12 triangles').waitFor()
    expect(await told.count()).toBe(0)
    await open(page, 'mine.glb', cubeGlb())
    await told.waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await told.waitFor({ state: 'detached' })
    await open(page, 'another.glb', cubeGlb())
    await told.waitFor()
    await visit.patch({ url: 'https://models.example/next.glb' })
    await page.getByText(/^next\.glb · 12 triangles/).waitFor()
    expect(await told.count()).toBe(0)
  },
  PATIENT,
)

/** Our server, which has what ends with `.glb` and refuses everything else. */
function serveModels(asked: (string | null)[]) {
  const problem = { title: 'x', status: 400, code: 'source_refused', detail: 'It is a private address.' }
  return (site: Site) => {
    site.answer(/^\/api\/workspaces\/editor\/ada\/rover\/models$/, (request, response) => {
      const wanted = new URL(request.url ?? '/', site.url).searchParams.get('url')
      asked.push(wanted)
      const isThere = wanted?.endsWith('.glb') === true
      const type = isThere ? 'application/octet-stream' : 'application/problem+json'
      response.writeHead(isThere ? 200 : 400, { 'content-type': type })
      response.end(isThere ? cubeGlb() : JSON.stringify(problem))
    })
  }
}

test(
  '[W-310] a model from an address comes through our server',
  async () => {
    const asked: (string | null)[] = []
    await using visit = await panels.show(
      { kind: 'viewer-3d', state: { url: 'https://models.example/a%20cube.glb' } },
      { prepare: serveModels(asked) },
    )
    const { page } = visit
    await page.getByText(/^a cube\.glb · 12 triangles/).waitFor()
    const field = page.getByLabel('Address of a model')
    await field.fill('models.example/other.glb')
    await field.press('Enter')
    await page.getByText(/^other\.glb · 12 triangles/).waitFor()
    expect(await visit.stored()).toEqual([{ url: 'https://models.example/other.glb' }])
    expect(asked).toEqual(['https://models.example/a%20cube.glb', 'https://models.example/other.glb'])
  },
  PATIENT,
)

deepTest(
  '[W-310] why it does not come is told',
  async () => {
    const asked: (string | null)[] = []
    await using visit = await panels.show(
      { kind: 'viewer-3d', state: { url: 'https://models.example/inside' } },
      { prepare: serveModels(asked), alsoTolerated: /status of 400/ },
    )
    await visit.page.getByText('It is a private address.').waitFor()
    await visit.page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => asked.length, soon).toBe(2)
  },
  PATIENT,
)

deepTest(
  '[W-311] what cannot be shown is refused in words, and the next model is shown',
  async () => {
    await using visit = await panels.show({ kind: 'viewer-3d' })
    const { page } = visit
    await open(page, 'model.glb', Buffer.from('solid cube'))
    expect(await shows(page.getByText('This is no 3D model'))).toBe(true)
    await open(page, 'cube.glb', cubeGlb())
    expect(await shows(page.getByText('12 triangles'))).toBe(true)
  },
  PATIENT,
)

deepTest(
  '[W-311] so is what is too large for the page',
  async () => {
    await using visit = await panels.show({ kind: 'viewer-3d' })
    const { page } = visit
    for (const [, file, title] of REFUSED) {
      await open(page, 'model.glb', file)
      expect(await shows(page.getByText(title))).toBe(true)
    }
    await open(page, 'model.glb', cubeGlb({ texture: plainPng(16_000, 16_000, [9, 9, 9]) }))
    expect(await shows(page.getByText('The model is too detailed'))).toBe(true)
    await using large = await makeFile('large.glb', 65 * 1024 * 1024)
    await page.locator('input[type=file]').setInputFiles(large.path)
    await page.getByText('The model is too large').waitFor()
    await open(page, 'cube.glb', cubeGlb())
    await page.getByText('12 triangles').waitFor()
  },
  120_000,
)

test(
  '[W-312] arrow keys and the pointer turn it, and the view is reset',
  async () => {
    await using visit = await panels.show({ kind: 'viewer-3d' }, { viewport: SMALL })
    const { page } = visit
    await open(page, 'cube.glb', cubeGlb())
    // What it says about the file takes half of this small stage, and a smaller stage turns further.
    await page.getByRole('button', { name: 'Dismiss' }).click()
    const isBlueInFront = async () => {
      const { red, blue } = await colorShares(page)
      return Math.max(red, blue) < 0.005 ? undefined : blue > red
    }
    await expect.poll(isBlueInFront, soon).toBe(true)
    await page.getByRole('application').focus()
    for (let press = 0; press < 8; press += 1) await page.keyboard.press('ArrowRight')
    await expect.poll(isBlueInFront, soon).toBe(false)
    await page.getByRole('button', { name: 'Reset the view' }).click()
    await expect.poll(isBlueInFront, soon).toBe(true)
    await page.mouse.move(250, 250)
    await page.mouse.down()
    await page.mouse.move(170, 250, { steps: 4 })
    await page.mouse.up()
    await expect.poll(isBlueInFront, soon).toBe(false)
    const before = (await colorShares(page)).red
    await page.getByRole('application').focus()
    for (let press = 0; press < 6; press += 1) await page.keyboard.press('-')
    await expect.poll(async () => (await colorShares(page)).red, soon).toBeLessThan(before * 0.6)
    await page.getByRole('button', { name: 'Fit to the view' }).click()
    await expect.poll(async () => (await colorShares(page)).red, soon).toBeGreaterThan(before * 0.8)
  },
  PATIENT,
)

deepTest(
  '[W-312] wires, grid and axes are shown and hidden',
  async () => {
    await using visit = await panels.show({ kind: 'viewer-3d' }, { viewport: SMALL })
    const { page } = visit
    await open(page, 'cube.glb', cubeGlb())
    await expect.poll(async () => (await colorShares(page)).blue, soon).toBeGreaterThan(0.02)
    const stage = page.getByRole('application')
    const picture = async () => (await stage.screenshot({ animations: 'disabled' })).toString('base64')
    for (const name of ['Grid', 'Axes']) {
      const before = await picture()
      await page.getByRole('button', { name, exact: true }).click()
      await expect.poll(picture, soon).not.toBe(before)
    }
    await page.getByRole('button', { name: 'Wireframe' }).click()
    await expect.poll(async () => (await colorShares(page)).blue, soon).toBeLessThan(0.01)
  },
  PATIENT,
)

test(
  '[W-314] a closed viewer gives its context back, however often one is opened',
  async () => {
    await using visit = await panels.show({ kind: 'viewer-3d' })
    const { page } = visit
    await open(page, 'cube.glb', cubeGlb())
    await page.getByText('12 triangles').waitFor()
    // Browsers end the oldest context from the seventeenth on, and warn, which would fail the test.
    const times = depth({ common: 3, deep: 20 })
    const isGone = await page.evaluate(async (most) => {
      const until = async (isSo: () => boolean) => {
        for (let frame = 0; frame < 1_000 && !isSo(); frame += 1) await new Promise(requestAnimationFrame)
      }
      const canvasOf = () => document.querySelector('canvas')
      const canvases: (HTMLCanvasElement | null)[] = []
      for (let time = 0; time < most; time += 1) {
        canvases.push(canvasOf())
        bench.unmount()
        await until(() => canvasOf() === null)
        await bench.mount({ kind: 'viewer-3d' })
        await until(() => canvasOf() !== null)
      }
      const isLost = (canvas: HTMLCanvasElement | null) =>
        canvas?.isConnected === false && canvas.getContext('webgl2')?.isContextLost() === true
      await until(() => canvases.every(isLost))
      return canvases.map(isLost)
    }, times)
    expect(isGone).toEqual(Array.from({ length: times }, () => true))
  },
  PATIENT,
)

describe('without 3D graphics', () => {
  const plain = usePanelBench({ args: ['--disable-3d-apis'] })

  test('[W-313] the panel says so', async () => {
    await using visit = await plain.show({ kind: 'viewer-3d' })
    expect(await shows(visit.page.getByText('3D graphics are not available'))).toBe(true)
  })
})
