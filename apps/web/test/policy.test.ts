import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { PAGES, PHONE, useBench } from './bench.ts'
import { buildApp } from './build-app.ts'

const bench = useBench()
let folder: string
beforeAll(async () => {
  folder = await buildApp()
})

// That nothing is violated and no other host is asked is what closing a watched page asserts.
test('[W-50] every page lives with the policy', async () => {
  await using visit = await bench.visit('/')
  for (const path of PAGES) await visit.open(path)
  expect(visit.faults()).toEqual([])
})

test('[W-50] so does every overlay', async () => {
  await using visit = await bench.visit('/components')
  const { page } = visit
  for (const name of [
    'Status',
    'Theme: Same as the system',
    'More actions',
    'Stable Status',
    'Open a dialog',
    'Open a drawer',
  ]) {
    await page.getByRole('button', { name, exact: true }).click()
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'Hover or focus me' }).focus()
  await page.getByRole('tooltip').waitFor()
  await page.getByRole('button', { name: 'Say that it worked' }).click()
  await page.getByRole('alertdialog').waitFor()
  expect(await page.locator('style').count()).toBe(0)
  expect(visit.faults()).toEqual([])
})

test('[W-50] and the drawer of a narrow screen', async () => {
  await using visit = await bench.visit('/', { viewport: PHONE, hasTouch: true, isMobile: true })
  await visit.page.getByRole('button', { name: 'Menu' }).tap()
  await visit.page.getByRole('dialog').waitFor()
  expect(visit.faults()).toEqual([])
})

test('[W-53] the page behind an overlay stays where it is', async () => {
  await using visit = await bench.visit('/components')
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

test('[W-51] every asset has a hash in its name and every script a source map', async () => {
  const assets = await readdir(join(folder, 'assets'))
  for (const asset of assets) expect(asset).toMatch(/-[\w-]{8}\.(?:css|js|js\.map)$/)
  const own = assets.filter((asset) => asset.endsWith('.js') && !asset.startsWith('rolldown-runtime'))
  for (const script of own) expect(assets).toContain(`${script}.map`)
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

test('[W-52] the first load stays light, and the gallery is no part of it', async () => {
  const html = await readFile(join(folder, 'index.html'), 'utf8')
  const first = Array.from(html.matchAll(/assets\/[\w.-]+\.js/g), ([path]) => path)
  const sizes = await Promise.all(
    first.map(async (path) => gzipSync(await readFile(join(folder, path))).length),
  )
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(184_000)

  await using visit = await bench.visit('/')
  const loaded = await visit.page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name),
  )
  expect(loaded.filter((name) => name.includes('gallery'))).toEqual([])
})

test('[W-250] no code of workspaces is part of the first load of other pages', async () => {
  const html = await readFile(join(folder, 'index.html'), 'utf8')
  const first = Array.from(html.matchAll(/assets\/[\w.-]+\.js/g), ([path]) => path)
  const maps = await Promise.all(
    first.map(async (path) => await readFile(join(folder, `${path}.map`), 'utf8').catch(() => '')),
  )
  expect(first.length).toBeGreaterThan(1)
  expect(maps.filter((map) => /dockview|src\/workspace\/|workspace-layout/.test(map))).toEqual([])
})

test('[W-250] the document of workspaces has no inline script or style either', async () => {
  const html = await readFile(join(folder, 'workspace.html'), 'utf8')
  const scripts = html.match(/<script\b[^>]*>[^<]*/g) ?? []
  expect(scripts).toHaveLength(2)
  for (const script of scripts) expect(script).toMatch(/ src="\/[^"]+">$/)
  expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:/)
})
