import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { shortenTimers } from '../short-timers.ts'
import type { Site } from '../site.ts'
import { makeFile } from './files.ts'
import { cubeGlb } from './models.ts'
import { soon, usePanelBench } from './panel-bench.ts'
import { colorShares } from './pixels.ts'
import { stepBoxes } from './step-boxes.ts'
import { answerFiles } from './workspace-files.ts'

const panels = usePanelBench({
  args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  // Reading back what software has drawn is slow, and the browser says so now and then.
  tolerated: /GPU stall due to ReadPixels/,
})
const PATIENT = 60_000
const open = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'model/step', buffer })

const BOXES = stepBoxes([
  { name: 'Plate', size: [40, 30, 4], color: [0.9, 0.1, 0.1] },
  { name: 'Bolt', size: [6, 6, 20], at: [10, 10, 4], color: [0.1, 0.1, 0.9] },
])
const TEXT = BOXES.toString()
const LIBRARY = /^\/assets\/occt-import-js-[\w-]+\.js$/
const WORKER = /step-worker-[\w-]+\.js$/

test(
  '[W-640] a STEP file has its parts, colors and size in millimeters, and what reads it is fetched with it',
  async () => {
    await using visit = await panels.show(
      { kind: 'viewer-3d', state: { path: 'cad/cube.glb' } },
      { prepare: (site) => void answerFiles(site, { 'cad/cube.glb': cubeGlb(), 'cad/boxes.STP': BOXES }) },
    )
    const { page } = visit
    const loaded = () =>
      page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1)))
    await page.getByText(/^cube\.glb · 12 triangles/).waitFor()
    expect((await loaded()).filter((name) => /occt|step/.test(name ?? ''))).toEqual([])
    await page.getByRole('button', { name: 'Choose from the workspace' }).click()
    await page.getByRole('button', { name: 'cad/boxes.STP' }).click()
    await page.getByText(/^boxes\.STP · 24 triangles · 40 × 30 × 24 mm · 11\.\d kB$/).waitFor()
    await expect.poll(async () => (await colorShares(page)).red, soon).toBeGreaterThan(0.02)
    expect((await colorShares(page)).blue).toBeGreaterThan(0.005)
    await page.getByRole('button', { name: 'Parts', exact: true }).click()
    await page.getByRole('treeitem', { name: 'Bolt' }).waitFor()
    expect(await page.getByRole('treeitem').allInnerTexts()).toEqual(['Plate', 'Bolt'])
    const wasm = (await loaded()).filter((name) => name?.endsWith('.wasm') === true)
    expect(wasm).toEqual([expect.stringMatching(/^occt-import-js-[\w-]{8}\.wasm$/)])
    for (const name of ['Open CASCADE', 'occt-import-js']) {
      const address = (await page.getByRole('link', { name }).getAttribute('href')) ?? ''
      const license = await fetch(new URL(address, visit.site.url))
      expect([license.status, await license.text()]).toEqual([
        200,
        expect.stringContaining('GNU LESSER GENERAL PUBLIC LICENSE'),
      ])
    }
    // Nothing of what it took stays.
    await expect.poll(() => page.workers().length, soon).toBe(0)
  },
  PATIENT,
)

const HOSTILE: readonly (readonly [string, Buffer, string])[] = [
  ['an empty file', Buffer.alloc(0), 'This is no 3D model'],
  ['another kind of file', cubeGlb(), 'This is no 3D model'],
  ['half a file', BOXES.subarray(0, BOXES.length / 2), 'The model is damaged'],
  ['no data', Buffer.from(TEXT.replace(/DATA;[^]*ENDSEC;/, 'DATA;\nENDSEC;')), 'The model is damaged'],
  ['no shape', Buffer.from(TEXT.replaceAll('VERTEX_POINT', 'VERTEX_PAINT')), 'The model has no shape'],
  [
    'a number that claims much',
    Buffer.from(
      TEXT.replace(/DATA;[^]*ENDSEC;/, "DATA;\n#4000000000=CARTESIAN_POINT('',(1.E999,0.,0.));\nENDSEC;"),
    ),
    'The model is damaged',
  ],
]

test(
  '[W-642] STEP files that are none, or not whole, are told, and the next one is shown',
  async () => {
    await using visit = await panels.show({ kind: 'viewer-3d' })
    const { page } = visit
    for (const [what, file, told] of HOSTILE) {
      await open(page, 'part.step', file)
      await expect.poll(() => page.getByText(told).count(), { ...soon, message: what }).toBeGreaterThan(0)
    }
    await open(page, 'part.step', BOXES)
    await page.getByText(/^part\.step · 24 triangles/).waitFor()
  },
  PATIENT,
)

deepTest(
  '[W-642] so is one that is too large',
  async () => {
    await using visit = await panels.show({ kind: 'viewer-3d' })
    await using large = await makeFile('large.step', 33 * 1024 * 1024)
    await visit.page.locator('input[type=file]').setInputFiles(large.path)
    await visit.page.getByText('The model is too large').waitFor()
  },
  PATIENT,
)

/** Another library in the place of the one that reads STEP files: this is what its function does. */
function answerLibrary(site: Site, body: string): void {
  const source = `self.occtimportjs = async () => ({ ReadStepFile() { ${body} } })`
  site.answer(LIBRARY, (_, response) =>
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(source),
  )
}

deepTest(
  '[W-643] a STEP file that takes too long is ended, and told',
  async () => {
    await using visit = await panels.show(
      { kind: 'viewer-3d' },
      { prepare: (site) => answerLibrary(site, 'for (;;) {}') },
    )
    const { page } = visit
    const undo = await shortenTimers(page, 60_000)
    await open(page, 'part.step', BOXES)
    await page.getByText('The model takes too long').waitFor()
    await expect.poll(() => page.workers().length, soon).toBe(0)
    await undo()
  },
  PATIENT,
)

deepTest(
  '[W-643] opening another model, or closing the panel, ends one that is being read',
  async () => {
    await using visit = await panels.show(
      { kind: 'viewer-3d' },
      { prepare: (site) => answerLibrary(site, 'for (;;) {}') },
    )
    const { page } = visit
    const running = () => page.workers().filter((worker) => WORKER.test(worker.url())).length
    await open(page, 'part.step', BOXES)
    await expect.poll(running, soon).toBe(1)
    await open(page, 'cube.glb', cubeGlb())
    await page.getByText(/^cube\.glb · 12 triangles/).waitFor()
    await expect.poll(running, soon).toBe(0)
    await open(page, 'part.step', BOXES)
    await expect.poll(running, soon).toBe(1)
    await page.evaluate(() => bench.unmount())
    await expect.poll(running, soon).toBe(0)
  },
  PATIENT,
)

test(
  '[W-643] one that needs more than 1 GiB is ended, and told',
  async () => {
    const grow = 'const memory = new WebAssembly.Memory({ initial: 1 }); memory.grow(16_384); return {}'
    await using visit = await panels.show(
      { kind: 'viewer-3d' },
      { prepare: (site) => answerLibrary(site, grow) },
    )
    await open(visit.page, 'part.step', BOXES)
    const told = visit.page.getByText('To read it takes more than 1 GiB of memory.')
    await expect.poll(() => told.count(), soon).toBe(1)
  },
  PATIENT,
)

/** What code in the worker could want, and what came of it. */
const ATTEMPTS = `
  const tried = {}
  const attempt = (name, run) => {
    try { tried[name] = run() === false ? 'refused' : 'done' } catch { tried[name] = 'refused' }
  }
  const ask = (address) => {
    const request = new XMLHttpRequest()
    request.open('GET', address, false)
    request.send()
    return request.status !== 0
  }
  attempt('asks our server', () => ask(new URL('/auth/session', self.location.href).href))
  attempt('asks another', () => ask('http://127.0.0.1:1/'))
  attempt('opens a socket', () => new WebSocket('ws://127.0.0.1:1/').readyState !== 3)
  attempt('imports a script from elsewhere', () => importScripts('http://127.0.0.1:1/x.js'))
  attempt('starts a worker', () => new Worker(self.location.href))
  attempt('has our origin', () => self.origin !== 'null')
  attempt('opens our storage', () => indexedDB.open('x'))
  attempt('compiles', () => new Function('return 1')())
  const children = Object.entries(tried).map(([name, came]) => ({ name: name + ': ' + came, meshes: [0], children: [] }))
  const mesh = {
    name: '', brep_faces: [], index: { array: [0, 1, 2] },
    attributes: { position: { array: [0, 0, 0, 1, 0, 0, 0, 1, 0] } },
  }
  return { success: true, root: { name: '', meshes: [], children }, meshes: [mesh] }
`

deepTest(
  '[W-641] what reads STEP files may compile code and nothing else: no connection, no storage, no scripts from elsewhere',
  async () => {
    await using visit = await panels.show(
      { kind: 'viewer-3d' },
      {
        prepare: (site) => answerLibrary(site, ATTEMPTS),
        alsoTolerated: /Content Security Policy|violates|ERR_|WebSocket/,
        expectedFaults: [/wasm-eval/],
      },
    )
    const { page } = visit
    await open(page, 'part.step', BOXES)
    await page.getByText(/^part\.step · /).waitFor()
    await page.getByRole('button', { name: 'Parts', exact: true }).click()
    await page.getByRole('treeitem').first().waitFor()
    expect(await page.getByRole('treeitem').allInnerTexts()).toEqual([
      'asks our server: refused',
      'asks another: refused',
      'opens a socket: refused',
      'imports a script from elsewhere: refused',
      'starts a worker: refused',
      'has our origin: refused',
      'opens our storage: refused',
      'compiles: done',
    ])
    const isRefused = await page.evaluate(() =>
      WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(
        () => false,
        () => true,
      ),
    )
    expect(isRefused).toBe(true)
  },
  PATIENT,
)
