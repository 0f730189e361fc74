import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deepTest, depth, sample } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { sourcesOf } from '../../built-sources.ts'
import { useBench } from '../bench.ts'
import { buildApp } from '../build-app.ts'
import { complaints, overflowing, smallControls } from '../complaints.ts'
import { chooseState, GALLERY, instrument, SLOW_DRAWING } from './instruments-page.ts'

const bench = useBench({ tolerated: SLOW_DRAWING })
const folder = (name: string) => fileURLToPath(new URL(`../../src/${name}/`, import.meta.url))
const CALM = { reducedMotion: 'reduce' } as const
const INSTRUMENTS = [
  'actions',
  'bars',
  'choice',
  'color-picker',
  'data-table',
  'gauge',
  'heat-map',
  'joystick',
  'level',
  'log-list',
  'momentary-button',
  'number-entry',
  'number-readout',
  'orientation',
  'plan-map',
  'serial-console',
  'slider',
  'status-lamp',
  'time-plot',
  'toggle',
]

test('[W-690] every instrument stands in the gallery', async () => {
  const specimens = (await readdir(folder('gallery'))).filter((name) => name.endsWith('.tsx'))
  const sources = await Promise.all(specimens.map((name) => readFile(folder('gallery') + name, 'utf8')))
  const missing = INSTRUMENTS.filter(
    (name) => !sources.some((source) => source.includes(`'../workspace/instruments/${name}.tsx'`)),
  )
  expect(missing).toEqual([])
})

test('[W-690] instruments know neither server nor panels', async () => {
  const home = folder('workspace/instruments')
  const names = (await readdir(home)).filter((name) => /\.tsx?$/.test(name))
  const imported = await Promise.all(
    names.map(async (name) =>
      Array.from((await readFile(home + name, 'utf8')).matchAll(/from '(\.[^']+)'/g), ([, path]) => path),
    ),
  )
  const allowed = /^\.\/[^/]+$|^\.\.\/\.\.\/(?:components|parts|theme)\//
  expect(imported.flat().filter((path) => !allowed.test(path ?? ''))).toEqual([])
})

test('[W-709] the first load of pages and workspaces has no instrument, and that of instruments no uPlot or three', async () => {
  const built = await buildApp()
  for (const document of ['index.html', 'workspace.html']) {
    const html = await readFile(join(built, document), 'utf8')
    const first = Array.from(html.matchAll(/assets\/[\w.-]+\.js/g), ([path]) => path)
    const sources = await sourcesOf(built, first)
    expect(sources.filter((source) => /workspace\/instruments\/|\/uplot\//.test(source))).toEqual([])
  }
  const assets = (await readdir(join(built, 'assets'))).filter((name) => /^instruments.*\.js$/.test(name))
  expect(assets).toHaveLength(1)
  const own = await sourcesOf(
    built,
    assets.map((name) => `assets/${name}`),
  )
  expect(own.some((source) => source.endsWith('instruments/time-plot.tsx'))).toBe(true)
  expect(own.filter((source) => /\/uplot\/|\/three\//.test(source))).toEqual([])
})

const OLD = [
  ['stale', 'Stale, last value 14:03:07'],
  ['offline', 'Offline, last value 14:03:07'],
] as const

test.each(sample(OLD))(
  '[W-691] a value that is %s says so, and looks different without color',
  async (state, text) => {
    await using visit = await bench.share(GALLERY, { ...CALM, asLeft: true })
    const { page } = visit
    const look = () =>
      instrument(page, 'Supply voltage').evaluate((frame) => {
        const value = frame.querySelector('span[class*=value]')
        return [getComputedStyle(frame).borderStyle, value === null ? '' : getComputedStyle(value).fontStyle]
      })
    await chooseState(page, 'live')
    expect(await look()).toEqual(['solid', 'normal'])
    await chooseState(page, state)
    expect(await look()).toEqual(['dashed', 'italic'])
    for (const name of [
      'Motor temperature',
      'Supply voltage',
      'Battery',
      'Motor',
      'Thermal sensor',
      'Lamp',
      'Power',
    ])
      await instrument(page, name).getByText(text).waitFor()
    for (const name of ['Temperatures', 'Rover', 'Test field', 'Device log', 'Serial port'])
      await instrument(page, name).getByText(text.slice(0, 5)).first().waitFor()
  },
)

deepTest('[W-691] where there is no value stand a dash and words', async () => {
  await using visit = await bench.share(GALLERY, { ...CALM, asLeft: true })
  const { page } = visit
  await chooseState(page, 'none')
  for (const name of [
    'Motor temperature',
    'Supply voltage',
    'Battery',
    'Motor',
    'Thermal sensor',
    'Lamp',
    'Rover',
  ]) {
    const text = await instrument(page, name).innerText()
    expect(text).toContain('—')
    expect(text).toContain('No value yet')
  }
})

const LOOKS = depth({
  common: [['stale', 'dark']] as const,
  deep: (['live', 'stale', 'offline', 'none'] as const).flatMap((state) => [
    [state, 'light'] as const,
    [state, 'dark'] as const,
  ]),
})

test.each(LOOKS)(
  '[W-692] the checker finds nothing while readings are %s, in %s',
  async (state, colorScheme) => {
    await using visit = await bench.share(GALLERY, CALM)
    const { page } = visit
    await page.emulateMedia({ colorScheme })
    await chooseState(page, state)
    await page.locator('.u-over').first().waitFor()
    await instrument(page, 'Temperatures').getByRole('button', { name: 'Table' }).click()
    await instrument(page, 'Test field').locator('summary').click()
    expect(await complaints(page, { within: 'main' })).toEqual([])
  },
)

deepTest('[W-693] nothing is cut off in 240 pixels', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  await page.locator('.u-over').first().waitFor()
  for (const state of ['live', 'offline', 'none'] as const) {
    await page.setViewportSize({ width: 390, height: 844 })
    await chooseState(page, state)
    const narrow = await page.evaluate(() => {
      for (const frame of document.querySelectorAll<HTMLElement>('main [role=group][data-state]'))
        frame.style.width = '240px'
      const frames = [...document.querySelectorAll<HTMLElement>('main [role=group][data-state]')]
      return frames
        .filter((frame) => frame.scrollWidth > frame.clientWidth)
        .map((frame) => `${frame.textContent.slice(0, 20)} ${frame.scrollWidth}`)
    })
    expect(narrow).toEqual([])
    await expect.poll(() => page.evaluate(overflowing)).toEqual([])
  }
})

test('[W-693] every control has room for a thumb', async () => {
  await using visit = await bench.share(GALLERY, {
    ...CALM,
    hasTouch: true,
    viewport: { width: 390, height: 844 },
  })
  expect(await visit.page.evaluate(smallControls)).toEqual([])
})
