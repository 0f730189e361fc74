import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { STEP_WORKER_PATH } from '@patchbay/contracts/core'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { beforeAll, expect } from 'vitest'
import { sourcesOf } from '../built-sources.ts'
import { PAGES, PHONE, useBench, type Visit } from './bench.ts'
import { buildApp } from './build-app.ts'

const bench = useBench()
let folder: string
beforeAll(async () => {
  folder = await buildApp()
})

// That nothing is violated and no other host is asked is what closing a watched page asserts.
test('[W-50] every page lives with the policy', async () => {
  await using visit = await bench.share('/')
  for (const path of PAGES) await visit.walk(path)
  expect(visit.faults()).toEqual([])
})

deepTest(
  '[W-50] and every page that is opened directly',
  async () => {
    await using visit = await bench.visit('/')
    for (const path of PAGES) await visit.open(path)
    expect(visit.faults()).toEqual([])
  },
  120_000,
)

deepTest('[W-50] so does every overlay', async () => {
  await using visit = await bench.visit('/components', { reducedMotion: 'reduce' })
  await openOverlays(visit)
  expect(await visit.page.locator('style').count()).toBe(0)
  expect(visit.faults()).toEqual([])
})

deepTest(
  '[W-50] and every overlay that moves',
  async () => {
    await using visit = await bench.visit('/components')
    await openOverlays(visit)
    expect(await visit.page.locator('style').count()).toBe(0)
    expect(visit.faults()).toEqual([])
  },
  120_000,
)

async function openOverlays({ page }: Visit): Promise<void> {
  for (const [name, role] of [
    ['Status', 'dialog'],
    ['Theme: System', 'menu'],
    ['More actions', 'menu'],
    ['Stable Status', 'listbox'],
    ['Open a dialog', 'dialog'],
    ['Open a drawer', 'dialog'],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click()
    // A key that comes before the overlay would leave it open, over the next button.
    await page.getByRole(role).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole(role).waitFor({ state: 'detached' })
  }
  // Whatever scrolls closes a tooltip, also on the way to its button.
  const hinted = page.getByRole('button', { name: 'Hover or focus me' })
  const isThere = async () => {
    await hinted.blur()
    await hinted.focus()
    return await page.getByRole('tooltip').isVisible()
  }
  await expect.poll(isThere).toBe(true)
  await page.getByRole('button', { name: 'Say that it worked' }).click()
  await page.getByRole('alertdialog').waitFor()
}

deepTest('[W-50] and the drawer of a narrow screen', async () => {
  await using visit = await bench.visit('/', { viewport: PHONE, hasTouch: true, isMobile: true })
  await visit.page.getByRole('button', { name: 'Menu' }).tap()
  await visit.page.getByRole('dialog').waitFor()
  expect(visit.faults()).toEqual([])
})

test('[W-53] the page behind an overlay stays where it is', async () => {
  await using visit = await bench.share('/components')
  const { page } = visit
  const main = page.locator('main')
  const overscroll = () => main.evaluate((element) => getComputedStyle(element).overscrollBehaviorY)
  expect(await overscroll()).toBe('auto')
  await page.getByRole('button', { name: 'Status', exact: true }).click()
  await page.getByRole('dialog').waitFor()
  expect(await overscroll()).toBe('contain')
  await page.mouse.move(20, 400)
  await page.mouse.wheel(0, 500)
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

test('[W-51] the built page has no inline script or style', async () => {
  const html = await readFile(join(folder, 'index.html'), 'utf8')
  const scripts = html.match(/<script\b[^>]*>[^<]*/g) ?? []
  expect(scripts).toHaveLength(2)
  for (const script of scripts) expect(script).toMatch(/ src="\/[^"]+">$/)
  expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:/)
})

test('[W-51] every asset has a hash in its name', async () => {
  const assets = await readdir(join(folder, 'assets'))
  for (const asset of assets) expect(asset).toMatch(/-[\w-]{8}\.(?:css|js|txt|wasm)(?:\.br|\.gz)?$/)
})

test('[W-51] F14: beside each text lies what it is packed, and no source map is shipped', async () => {
  const names = await readdir(folder, { recursive: true })
  const texts = names.filter((name) => /^(?:assets\/.*\.(?:js|css)|[a-z]+\.html)$/.test(name))
  expect(texts.length).toBeGreaterThan(20)
  for (const name of texts) {
    const text = await readFile(join(folder, name))
    // At its end, where browsers look: the compiler of the editor's help has the word inside.
    expect(text.subarray(-2_000).toString()).not.toMatch(/[#@] sourceMappingURL=\S+\s*(?:\*\/)?\s*$/)
    if (text.length < 1_024) continue
    expect(brotliDecompressSync(await readFile(join(folder, `${name}.br`))).equals(text)).toBe(true)
    expect(gunzipSync(await readFile(join(folder, `${name}.gz`))).equals(text)).toBe(true)
  }
  expect(names.filter((name) => name.endsWith('.map'))).toEqual([])
})

test('[W-100] a component outranks the reset, and a page the component, in every stylesheet', async () => {
  await using visit = await bench.visit('/sign-in')
  const button = visit.page.getByRole('main').getByRole('button').first()
  expect(await button.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('1px')
  const html = await readFile(join(folder, 'index.html'), 'utf8')
  const stylesheets = Array.from(
    html.matchAll(/<link rel="stylesheet"[^>]* href="([^"]+)"/g),
    ([, href]) => href,
  )
  expect(stylesheets[0]).toBe('/layers.css')
})

deepTest('[W-52] the gallery is no part of a first visit', async () => {
  await using visit = await bench.visit('/')
  const loaded = await visit.page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name),
  )
  expect(loaded.filter((name) => name.includes('gallery'))).toEqual([])
})

test('[W-250] no code of workspaces is part of the first load of other pages', async () => {
  const html = await readFile(join(folder, 'index.html'), 'utf8')
  const first = Array.from(html.matchAll(/assets\/[\w.-]+\.js/g), ([path]) => path)
  expect(first.length).toBeGreaterThan(1)
  const sources = await sourcesOf(folder, first)
  expect(sources.some((source) => source.endsWith('src/main.tsx'))).toBe(true)
  expect(sources.filter((source) => /dockview|src\/workspace\/|workspace-layout/.test(source))).toEqual([])
})

test('[W-651][W-912] no code of the 3D viewer is part of the first load of a workspace, nor of STEP files part of the viewer', async () => {
  const html = await readFile(join(folder, 'workspace.html'), 'utf8')
  const first = Array.from(html.matchAll(/assets\/[\w.-]+\.js/g), ([path]) => path)
  expect(first.length).toBeGreaterThan(1)
  const assets = (await readdir(join(folder, 'assets'))).filter((name) => name.endsWith('.js'))
  const sources = await sourcesOf(folder, first)
  expect(sources.some((source) => source.endsWith('src/workspace/main.tsx'))).toBe(true)
  expect(
    sources.filter((source) =>
      /viewer-3d(?:-board)?\/|panels\/stage\/|kicad-format|node_modules\/three\/|occt/.test(source),
    ),
  ).toEqual([])
  // As published, byte for byte.
  const library = assets.filter((name) => name.startsWith('occt-import-js-'))
  expect(library).toHaveLength(1)
  const published = createRequire(import.meta.url).resolve('occt-import-js')
  expect(await readFile(join(folder, 'assets', library[0] ?? ''))).toEqual(await readFile(published))
  expect(assets.filter((name) => STEP_WORKER_PATH.test(`/assets/${name}`))).toHaveLength(1)
})

test('[W-872] no code of the schematic editor is part of the first load of a workspace', async () => {
  const html = await readFile(join(folder, 'workspace.html'), 'utf8')
  const first = Array.from(html.matchAll(/assets\/[\w.-]+\.js/g), ([path]) => path)
  const sources = await sourcesOf(folder, first)
  expect(sources.some((source) => source.endsWith('src/workspace/main.tsx'))).toBe(true)
  expect(sources.filter((source) => /schematic-editor\/|kicad-format/.test(source))).toEqual([])
})

test('[W-751] no code of the media panels is part of the first load of a workspace, nor the HLS library of theirs', async () => {
  const html = await readFile(join(folder, 'workspace.html'), 'utf8')
  const first = Array.from(html.matchAll(/assets\/[\w.-]+\.js/g), ([path]) => path)
  expect(first.length).toBeGreaterThan(1)
  const ofMedia = /panels\/media\/|node_modules\/hls\.js\//
  expect((await sourcesOf(folder, first)).filter((source) => ofMedia.test(source))).toEqual([])
  const scripts = (await readdir(join(folder, 'assets'))).filter((name) => name.endsWith('.js'))
  const holding = await Promise.all(
    scripts.map(async (name) =>
      (await sourcesOf(folder, [`assets/${name}`])).filter((source) => ofMedia.test(source)),
    ),
  )
  const libraries = holding.filter((sources) => sources.some((source) => source.includes('hls.js')))
  expect(libraries.map((sources) => sources.some((source) => source.includes('panels/media/')))).toEqual([
    false,
  ])
})

test('[W-250] the document of workspaces has no inline script or style either', async () => {
  const html = await readFile(join(folder, 'workspace.html'), 'utf8')
  const scripts = html.match(/<script\b[^>]*>[^<]*/g) ?? []
  expect(scripts).toHaveLength(2)
  for (const script of scripts) expect(script).toMatch(/ src="\/[^"]+">$/)
  expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:/)
})
