import { catalogPanel, PANEL_CATEGORIES } from '@patchbay/contracts/panels'
import { Check } from 'typebox/schema'
import { expect, test } from 'vitest'
import { BUILT_IN_PANELS, findBuiltIn, findBuiltInOfKind } from '../../src/catalog/built-in-panels.ts'

/** As the contract lists them. */
const MEMBERS = {
  Development: ['code-editor', 'schematic-editor', 'script-runner'],
  Control: [
    'motor-control',
    'led-control',
    'servo-control',
    'drone-control',
    'speed-controller',
    'lights-control',
    'workcell-power',
    'gpio-control',
  ],
  Visualization: [
    'viewer-3d',
    'viewer-3d-board',
    'imu',
    'time-of-flight',
    'ultrasonic',
    'line-follower',
    'temperature-graph',
    'chip-data',
    'chip-statistics',
    'oven-data',
    'pressure-temperature',
    'ultra-wideband',
    'sensor-monitor',
  ],
  Media: ['live-stream', 'webrtc-player', 'zoom-camera'],
  Utility: ['system-log', 'robot-log', 'battery-charger', 'curriculum', 'webview', 'sandbox'],
}

/** Beside those. */
const OURS = ['files']

const kindsByCategory = () =>
  Object.fromEntries(
    PANEL_CATEGORIES.map((category) => [
      category,
      BUILT_IN_PANELS.filter((panel) => panel.category === category).map(({ kind }) => kind),
    ]),
  )

test('[D-40] every member of every category is there, in the order of categories', () => {
  for (const [category, kinds] of Object.entries(kindsByCategory()))
    expect(kinds.filter((kind) => !OURS.includes(kind))).toEqual(MEMBERS[category as keyof typeof MEMBERS])
  const order = [...new Set(BUILT_IN_PANELS.map(({ category }) => category))]
  expect(order).toEqual([...PANEL_CATEGORIES])
})

test('[D-40] ids, kinds and names tell panels apart, and all have the published shape', () => {
  for (const key of ['id', 'kind', 'name', 'icon'] as const)
    expect([key, new Set(BUILT_IN_PANELS.map((panel) => panel[key])).size]).toEqual([
      key,
      BUILT_IN_PANELS.length,
    ])
  for (const panel of BUILT_IN_PANELS) {
    expect([panel.kind, Check(catalogPanel, panel)]).toEqual([panel.kind, true])
    expect(panel.id).toMatch(
      /^patchbay\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    expect(findBuiltIn(panel.id)).toBe(panel)
    expect(findBuiltInOfKind(panel.kind)).toBe(panel)
  }
})

test('[D-40] ids of panels that layouts hold stay as they were published', async () => {
  const lines = BUILT_IN_PANELS.map(({ id, kind }) => `${kind} ${id}`)
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('snapshots/built-in-ids.txt')
})

test('[D-41] of the contract’s panels the 3D viewer and the schematic editor are the singletons', () => {
  const kinds = BUILT_IN_PANELS.filter(({ singleton }) => singleton).map(({ kind }) => kind)
  expect(kinds.filter((kind) => !OURS.includes(kind)).toSorted()).toEqual(['schematic-editor', 'viewer-3d'])
})

test('[D-345] Files is in Development after what the contract names, once in a workspace', () => {
  const { Development: kinds = [] } = kindsByCategory()
  expect(kinds).toEqual([...MEMBERS.Development, 'files'])
  expect(findBuiltInOfKind('files')).toMatchObject({ name: 'Files', singleton: true, availability: 'ready' })
  expect(Object.values(kindsByCategory()).flat()).toHaveLength(Object.values(MEMBERS).flat().length + 1)
})

test('[D-41] what is built says so, and nothing else does', () => {
  const ready = BUILT_IN_PANELS.filter(({ availability }) => availability === 'ready').map(({ kind }) => kind)
  expect(ready.toSorted()).toEqual([
    'battery-charger',
    'chip-data',
    'chip-statistics',
    'code-editor',
    'curriculum',
    'drone-control',
    'files',
    'gpio-control',
    'imu',
    'led-control',
    'lights-control',
    'line-follower',
    'live-stream',
    'motor-control',
    'oven-data',
    'pressure-temperature',
    'robot-log',
    'sandbox',
    'schematic-editor',
    'script-runner',
    'sensor-monitor',
    'servo-control',
    'speed-controller',
    'system-log',
    'temperature-graph',
    'time-of-flight',
    'ultra-wideband',
    'ultrasonic',
    'viewer-3d',
    'viewer-3d-board',
    'webrtc-player',
    'webview',
    'workcell-power',
    'zoom-camera',
  ])
})
