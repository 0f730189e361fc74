import type { Page } from '@patchbay/testkit/chromium'
import { describe, expect, test } from 'vitest'
import { shows } from '../bench.ts'
import type { Site } from '../site.ts'
import { dropFile, makeFile } from './files.ts'
import { cubeGlb, cubeGltf, plainPng } from './models.ts'
import { soon, usePanelBench } from './panel-bench.ts'
import { colourShares } from './pixels.ts'

// Reading back what software has drawn is slow, and the browser says so now and then.
const SLOW_READING = /GPU stall due to ReadPixels/
const panels = usePanelBench({
  args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  tolerated: SLOW_READING,
})
const PATIENT = 60_000
const open = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'model/gltf-binary', buffer })

describe('a model from a file', () => {
  test(
    '[W-309] has its colours, fits into the view, and tells its triangles and size',
    async () => {
      await using visit = await panels.show({ kind: 'viewer-3d' })
      const { page } = visit
      await open(page, 'cube.glb', cubeGlb())
      await page.getByText(/^cube\.glb · 12 triangles · 1 × 1 × 1 m · 1\.\d+ kB$/).waitFor()
      await expect.poll(async () => (await colourShares(page)).blue, soon).toBeGreaterThan(0.02)
      const { red, green, edge } = await colourShares(page)
      expect(Math.min(red, green)).toBeGreaterThan(0.01)
      expect(edge).toBe(0)
      expect(await visit.stored()).toEqual([])
    },
    PATIENT,
  )

  test.each([
    ['a texture', 'cube.glb', cubeGlb({ texture: plainPng(8, 8, [30, 190, 50]) })],
    ['data and a texture inside a .gltf', 'cube.gltf', cubeGltf({ texture: plainPng(8, 8, [30, 190, 50]) })],
  ])(
    '[W-309] %s is shown',
    async (_, name, file) => {
      await using visit = await panels.show({ kind: 'viewer-3d' })
      await open(visit.page, name, file)
      await visit.page.getByText('12 triangles').waitFor()
      await expect.poll(async () => (await colourShares(visit.page)).green, soon).toBeGreaterThan(0.05)
    },
    PATIENT,
  )

  test(
    '[W-309] can be dropped',
    async () => {
      await using visit = await panels.show({ kind: 'viewer-3d' })
      const { page } = visit
      await using file = await makeFile('dropped.glb', cubeGlb())
      await dropFile(page, page.getByRole('application'), file.path)
      expect(await shows(page.getByText(/^dropped\.glb · 12 triangles/))).toBe(true)
    },
    PATIENT,
  )
})

test(
  '[W-310] a model from an address comes through our server, and why it does not come is told',
  async () => {
    const asked: (string | null)[] = []
    const problem = { title: 'x', status: 400, code: 'source_refused', detail: 'It is a private address.' }
    const prepare = (site: Site) => {
      site.answer(/^\/api\/workspaces\/editor\/ada\/rover\/models$/, (request, response) => {
        const wanted = new URL(request.url ?? '/', site.url).searchParams.get('url')
        asked.push(wanted)
        const isThere = wanted?.endsWith('.glb') === true
        const type = isThere ? 'application/octet-stream' : 'application/problem+json'
        response.writeHead(isThere ? 200 : 400, { 'content-type': type })
        response.end(isThere ? cubeGlb() : JSON.stringify(problem))
      })
    }
    await using visit = await panels.show(
      { kind: 'viewer-3d', state: { url: 'https://models.example/a%20cube.glb' } },
      { prepare },
    )
    const { page } = visit
    await page.getByText(/^a cube\.glb · 12 triangles/).waitFor()
    const field = page.getByLabel('Address of a model')
    await field.fill('models.example/other.glb')
    await field.press('Enter')
    await page.getByText(/^other\.glb · 12 triangles/).waitFor()
    expect(await visit.stored()).toEqual([{ url: 'https://models.example/other.glb' }])
    expect(asked).toEqual(['https://models.example/a%20cube.glb', 'https://models.example/other.glb'])
    await using refused = await panels.show(
      { kind: 'viewer-3d', state: { url: 'https://models.example/inside' } },
      { prepare, alsoTolerated: /status of 400/ },
    )
    await refused.page.getByText('It is a private address.').waitFor()
    await refused.page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => asked.length, soon).toBe(4)
  },
  PATIENT,
)

test('[W-311] what cannot be shown is refused in words, and the next model is shown', async () => {
  await using visit = await panels.show({ kind: 'viewer-3d' })
  const { page } = visit
  const claims = [{ bufferView: 0, type: 'VEC3', componentType: 5126, count: 4_000_000_000 }]
  const cycle = [{ mesh: 0, children: [1] }, { children: [2] }, { children: [1] }]
  for (const [file, words] of [
    [Buffer.from('solid cube'), 'This is no 3D model'],
    [Buffer.from('{"asset":{"version":"1.0"}}'), 'This version of glTF cannot be shown'],
    [cubeGlb().subarray(0, 900), 'The model is damaged'],
    [cubeGlb({ over: { buffers: [{ uri: 'cube.bin', byteLength: 4 }] } }), 'It refers to “cube.bin”'],
    [
      cubeGlb({ over: { images: [{ uri: 'https://evil.example/x.png' }] } }),
      'It refers to “https://evil.example/x.png”',
    ],
    [cubeGlb({ over: { extensionsUsed: ['KHR_draco_mesh_compression'] } }), 'This one needs Draco'],
    [cubeGlb({ over: { extensionsRequired: ['KHR_texture_basisu'] } }), 'This one needs KTX 2'],
    [cubeGlb({ over: { accessors: claims } }), 'The model is too detailed'],
    [cubeGlb({ over: { nodes: Array.from({ length: 50_001 }, () => ({})) } }), 'The model is too detailed'],
    [cubeGlb({ over: { nodes: cycle } }), 'The model is damaged'],
    [cubeGlb({ over: { scenes: [{ nodes: [7] }] } }), 'The model is damaged'],
    [cubeGlb({ texture: plainPng(16_000, 16_000, [9, 9, 9]) }), 'The model is too detailed'],
    [cubeGltf({ over: { buffers: [{ byteLength: 4, uri: 'data:,%%%' }] } }), 'The model is damaged'],
  ] as const) {
    await open(page, 'model.glb', file)
    expect(await shows(page.getByText(words))).toBe(true)
  }
  await using large = await makeFile('large.glb', 65 * 1024 * 1024)
  await page.locator('input[type=file]').setInputFiles(large.path)
  await page.getByText('The model is too large').waitFor()
  await open(page, 'cube.glb', cubeGlb())
  await page.getByText('12 triangles').waitFor()
}, 120_000)

test(
  '[W-312] arrow keys and the pointer turn it, and the view is reset',
  async () => {
    await using visit = await panels.show({ kind: 'viewer-3d' })
    const { page } = visit
    await open(page, 'cube.glb', cubeGlb())
    const isBlueInFront = async () => {
      const { red, blue } = await colourShares(page)
      return Math.max(red, blue) < 0.005 ? undefined : blue > red
    }
    await expect.poll(isBlueInFront, soon).toBe(true)
    await page.getByRole('application').focus()
    for (let press = 0; press < 8; press += 1) await page.keyboard.press('ArrowRight')
    await expect.poll(isBlueInFront, soon).toBe(false)
    await page.getByRole('button', { name: 'Reset the view' }).click()
    await expect.poll(isBlueInFront, soon).toBe(true)
    await page.mouse.move(450, 300)
    await page.mouse.down()
    await page.mouse.move(330, 300, { steps: 4 })
    await page.mouse.up()
    await expect.poll(isBlueInFront, soon).toBe(false)
    const before = (await colourShares(page)).red
    await page.getByRole('application').focus()
    for (let press = 0; press < 6; press += 1) await page.keyboard.press('-')
    await expect.poll(async () => (await colourShares(page)).red, soon).toBeLessThan(before * 0.6)
    await page.getByRole('button', { name: 'Fit to the view' }).click()
    await expect.poll(async () => (await colourShares(page)).red, soon).toBeGreaterThan(before * 0.8)
  },
  PATIENT,
)

test(
  '[W-312] wires, grid and axes are shown and hidden',
  async () => {
    await using visit = await panels.show({ kind: 'viewer-3d' })
    const { page } = visit
    await open(page, 'cube.glb', cubeGlb())
    await expect.poll(async () => (await colourShares(page)).blue, soon).toBeGreaterThan(0.02)
    const stage = page.getByRole('application')
    const picture = async () => (await stage.screenshot({ animations: 'disabled' })).toString('base64')
    for (const name of ['Grid', 'Axes']) {
      const before = await picture()
      await page.getByRole('button', { name, exact: true }).click()
      await expect.poll(picture, soon).not.toBe(before)
    }
    await page.getByRole('button', { name: 'Wireframe' }).click()
    await expect.poll(async () => (await colourShares(page)).blue, soon).toBeLessThan(0.01)
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
    const isGone = await page.evaluate(async () => {
      const canvases: (HTMLCanvasElement | null)[] = []
      // Browsers end the oldest context from the seventeenth on, and warn, which would fail the test.
      for (let time = 0; time < 20; time += 1) {
        canvases.push(document.querySelector('canvas'))
        bench.unmount()
        await new Promise(requestAnimationFrame)
        await bench.mount({ kind: 'viewer-3d' })
        await new Promise(requestAnimationFrame)
      }
      return canvases.map(
        (canvas) => canvas?.isConnected === false && canvas.getContext('webgl2')?.isContextLost(),
      )
    })
    expect(isGone).toEqual(Array.from({ length: 20 }, () => true))
  },
  PATIENT,
)

describe('without 3D graphics', () => {
  const plain = usePanelBench({ args: ['--disable-3d-apis'] })

  test('[W-313] the panel says so', async () => {
    await using visit = await plain.show({ kind: 'viewer-3d' })
    expect(await shows(visit.page.getByText('This browser shows no 3D graphics'))).toBe(true)
  })
})
