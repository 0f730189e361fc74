// The pictures of the 3D board viewer, taken anew: `node apps/web/test/panels/take-board-pictures.ts`. Needs KiCad and its demos.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BoardCheckReport } from '@patchbay/contracts/boards'
import { workspacePolicy } from '@patchbay/contracts/core'
import { openPage, type Page, screenshot, startChromium } from '@patchbay/testkit/chromium'
import { serveApp } from '../site.ts'
import { answerEngine } from './board-engine.ts'
import { buildBench } from './build-bench.ts'
import { answerSession } from './sites.ts'
import { answerFiles } from './workspace-files.ts'

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../../../docs/pictures/', import.meta.url))
/** Names of scenes; all of them unless given. */
const WANTED = process.argv[3]?.split(',')
const DEMOS = '/usr/share/kicad/demos'
const DESK = { width: 1000, height: 640 }
const PHONE = { width: 390, height: 760 }
const LOOKS = [
  { look: 'light', options: { viewport: DESK, colorScheme: 'light' } },
  { look: 'dark', options: { viewport: DESK, colorScheme: 'dark' } },
  { look: 'phone', options: { viewport: PHONE, colorScheme: 'light', hasTouch: true } },
] as const

await using browser = await startChromium({
  args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
})
await using site = await serveApp(await buildBench(), { 'content-security-policy': workspacePolicy([]) })
answerSession(site)
const STICK = join(DEMOS, 'stickhub/StickHub.kicad_pcb')
const engine = { model: [{}], glb: exportModel(STICK), report: checkRules(STICK) }
answerFiles(site, {
  'boards/stickhub.kicad_pcb': readFileSync(STICK),
  'boards/pic_programmer.kicad_pcb': readFileSync(join(DEMOS, 'pic_programmer/pic_programmer.kicad_pcb')),
  'boards/video.kicad_pcb': readFileSync(join(DEMOS, 'video/video.kicad_pcb')),
})

/** As it was before: a part elsewhere, and some tracks that are gone by now. */
const earlier = readFileSync(join(DEMOS, 'pic_programmer/pic_programmer.kicad_pcb'), 'utf8')
  .replace('(at 110.49 78.867 180)', '(at 118.49 84.867 180)')
  .replaceAll('(width 0.8)', '(width 0.5)')
site.answer(/\/files\/changes$/, (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ items: [], nextCursor: null }))
})
const PIC = 'boards/pic_programmer.kicad_pcb'
const lists = (page: Page) => page.getByRole('button', { name: 'Parts, nets and layers' }).click()
const WORKING = {
  step: 'working',
  said: 'Adding component U4.',
  elapsedMs: 4_100,
  typicalMs: 6_800,
  percent: 60,
} as const
const endings: (() => void)[] = []
type Scene = readonly [name: string, state: Record<string, unknown>, act?: (page: Page) => Promise<unknown>]
const SCENES: readonly Scene[] = [
  ['plain', { path: PIC }],
  ['part', { path: PIC, selected: 'U2' }, lists],
  [
    'net',
    { path: PIC, net: 'GND' },
    async (page) => {
      await page.getByRole('button', { name: 'From the back' }).click()
      await lists(page)
      await page.getByRole('tab', { name: 'Nets' }).click()
    },
  ],
  [
    'layers',
    {
      path: 'boards/video.kicad_pcb',
      layers: ['body', 'F.Cu', 'In1.Cu', 'In2.Cu', 'B.Cu', 'F.SilkS'],
      section: { axis: 'x', position: 0.6 },
    },
    async (page) => {
      await lists(page)
      await page.getByRole('tab', { name: 'Layers' }).click()
    },
  ],
  [
    'changes',
    { path: PIC, compare: 1 },
    async (page) => {
      await lists(page)
      await page.getByRole('tab', { name: 'Changes' }).click()
      await page.getByText('Green is new, red is gone.').waitFor()
      await page.getByRole('button', { name: 'From the front' }).click()
    },
  ],
  [
    'beside',
    { path: PIC, compare: 1, sideBySide: true },
    async (page) => {
      await page.getByText('Before', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'From the front' }).click()
    },
  ],
  ['working', { path: PIC }],
  ['components', { path: 'boards/stickhub.kicad_pcb' }],
  [
    'checks',
    { path: 'boards/stickhub.kicad_pcb' },
    async (page) => {
      await lists(page)
      await page.getByRole('tab', { name: 'Checks' }).click()
      await page.getByRole('button', { name: 'Run the check' }).click()
      await page.getByText(/\d+ warnings?/).waitFor()
      await page.getByRole('button', { name: 'From the front' }).click()
    },
  ],
]
for (const [name, state, act] of SCENES.filter(([one]) => WANTED === undefined || WANTED.includes(one)))
  for (const { look, options } of LOOKS) {
    // Of the others KiCad has no models here.
    if (state['compare'] !== undefined)
      endings.push(
        site.answer(/\/files\/content$/, (request, response) => {
          const isOld = request.url?.includes('revision=') === true
          response.writeHead(200, { 'content-type': 'application/octet-stream' })
          response.end(isOld ? earlier : readFileSync(join(DEMOS, 'pic_programmer/pic_programmer.kicad_pcb')))
        }),
      )
    const isStick = state['path'] === 'boards/stickhub.kicad_pcb'
    if (name === 'working') answerEngine(site, { model: [{ state: 'running', progress: WORKING }] })
    else answerEngine(site, isStick ? engine : { model: [{}], hasComponents: false })
    const { page } = await openPage(browser, { ...options, reducedMotion: 'reduce' })
    await page.goto(site.url)
    await page.waitForFunction(() => 'bench' in globalThis)
    await page.evaluate(
      (given) => bench.mount({ kind: 'viewer-3d-board', state: given, title: 'Board' }),
      state,
    )
    await page.getByText(/ · \d+ parts/).waitFor()
    await page.getByText(name === 'working' ? WORKING.said : /^Models of/).waitFor()
    await act?.(page)
    await page.waitForTimeout(1_500)
    await screenshot(page, join(FOLDER, `board-${name}-${look}.png`))
    for (const end of endings.splice(0)) end()
    await page.context().close()
  }

function kicad(name: string, args: (out: string) => readonly string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-pictures-'))
  const out = join(folder, name)
  try {
    execFileSync('kicad-cli', args(out), { stdio: 'ignore', env: { ...process.env, HOME: folder } })
    return readFileSync(out)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function exportModel(board: string): Buffer {
  return kicad('board.glb', (out) => ['pcb', 'export', 'glb', '--force', '--subst-models', '-o', out, board])
}

interface KicadReport {
  readonly violations: readonly {
    readonly type: string
    readonly severity: 'error' | 'warning'
    readonly description: string
    readonly items: readonly {
      readonly description: string
      readonly pos: { readonly x: number; readonly y: number }
      readonly uuid: string
    }[]
  }[]
}

function checkRules(board: string): BoardCheckReport {
  const told = JSON.parse(
    kicad('drc.json', (out) => ['pcb', 'drc', '--format', 'json', '-o', out, board]).toString(),
  ) as KicadReport
  const count = (severity: string) => told.violations.filter((one) => one.severity === severity).length
  return {
    kind: 'drc',
    errors: count('error'),
    warnings: count('warning'),
    exclusions: 0,
    isComplete: true,
    violations: told.violations.map(({ items, ...one }) => ({
      ...one,
      isExcluded: false,
      group: 'rules',
      sheet: null,
      items: items.map(({ pos, ...item }) => ({ ...item, ...pos })),
    })),
  }
}
