import { expect, test } from 'vitest'
import { complaints, overflowing } from '../complaints.ts'
import { answerEngine, type Engine } from './board-engine.ts'
import { sampleBoard } from './boards.ts'
import { NARROW, soon, usePanelBench } from './panel-bench.ts'
import { colorShares } from './pixels.ts'
import { answerFiles } from './workspace-files.ts'

const panels = usePanelBench({
  args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  tolerated: /GPU stall due to ReadPixels/,
})
const PATIENT = 60_000
const PATH = 'rover.kicad_pcb'

async function show(engine: Engine, options: { readonly viewport?: { width: number; height: number } } = {}) {
  const visit = await panels.show(
    { kind: 'viewer-3d-board', state: { path: PATH } },
    {
      viewport: { width: 760, height: 520 },
      prepare(site) {
        answerFiles(site, { [PATH]: sampleBoard() })
        answerEngine(site, engine)
      },
      ...options,
    },
  )
  await visit.page.getByText(/3 parts · 2 nets$/).waitFor()
  return visit
}

test(
  '[W-913] components come once KiCad has built them, are pressed, and are hidden as a layer',
  async () => {
    const asked: unknown[] = []
    await using visit = await show({ model: [{ state: 'running' }, {}], asked })
    const { page } = visit
    await page.getByText('Models of 1 of 3 parts').waitFor()
    expect(asked).toEqual([{ operation: 'model', path: PATH }])
    await page.getByRole('button', { name: 'From the front' }).click()
    // The cube of the tests is red, green and blue, by its sides; nothing else here is green.
    await page.getByRole('button', { name: 'From the corner' }).click()
    await expect.poll(async () => (await colorShares(page)).green, soon).toBeGreaterThan(0.005)
    await page.getByRole('application').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => visit.stored(), soon).toEqual([{ selected: 'U1', net: null }])
    await page.getByRole('button', { name: 'Parts, nets and layers' }).click()
    await page.getByRole('tab', { name: 'Layers' }).click()
    await page.getByRole('checkbox', { name: 'Components' }).click({ force: true })
    await expect.poll(async () => (await colorShares(page)).green, soon).toBeLessThan(0.001)
  },
  PATIENT,
)

test(
  '[W-935] while KiCad works it is told what it does, for how long, and how long that usually takes',
  async () => {
    const progress = {
      step: 'working' as const,
      said: 'Build Binary GLTF data.',
      elapsedMs: 3_200,
      typicalMs: 8_000,
      percent: 40,
    }
    const model: Engine['model'] = [{ state: 'running', progress }]
    await using visit = await show({ model })
    const { page } = visit
    await page.getByText('3 s of about 8 s').waitFor()
    await page.getByText('Build Binary GLTF data.').waitFor()
    const bar = page.getByRole('progressbar', { name: 'KiCad is building the components…' })
    expect(await bar.getAttribute('aria-valuenow')).toBe('40')
    expect(await complaints(page, { within: '#root', hasFrames: false })).toEqual([])
    await page.setViewportSize(NARROW)
    await expect.poll(() => page.evaluate(overflowing), soon).toEqual([])
    model.push({})
    await page.getByText('Models of 1 of 3 parts').waitFor()
  },
  PATIENT,
)

test(
  '[W-914] without a worker the board is there, with what to install; what KiCad could not do is told and tried again',
  async () => {
    const asked: unknown[] = []
    const fault = { code: 'no_worker' as const, detail: 'x' }
    {
      await using visit = await show({
        model: [{ state: 'refused', fault, results: [] }],
        isRunning: false,
        asked,
      })
      await visit.page.getByText('Components need KiCad').waitFor()
      await visit.page.getByText('Install KiCad 9 and start patchbay eda-worker.').waitFor()
      await visit.page.getByRole('button', { name: 'Dismiss' }).click()
      await visit.page.getByText('Components need KiCad').waitFor({ state: 'detached' })
    }
    const failed = { code: 'kicad_failed' as const, detail: 'KiCad said: no such layer' }
    await using visit = await show({ model: [{ state: 'failed', fault: failed, results: [] }, {}], asked })
    await visit.page.getByText('KiCad said: no such layer').waitFor()
    await visit.page.getByRole('button', { name: 'Try again' }).click()
    await visit.page.getByText('Models of 1 of 3 parts').waitFor()
    expect(asked.at(-1)).toEqual({ operation: 'model', path: PATH, isRetry: true })
  },
  PATIENT,
)

test(
  '[W-915] what the design rules check finds is listed, errors first, and marked; a selected one is looked at from near',
  async () => {
    await using visit = await show({ model: [{}], asked: [] })
    const { page } = visit
    await page.getByRole('button', { name: 'Parts, nets and layers' }).click()
    await page.getByRole('tab', { name: 'Checks' }).click()
    await page.getByRole('button', { name: 'Run the check' }).click()
    await page.getByText('1 error, 1 warning').waitFor()
    expect(await page.getByRole('option').allInnerTexts()).toEqual([
      expect.stringMatching(/^Error\s+Clearance violation/),
      expect.stringMatching(/^Warning\s+Silkscreen overlap/),
    ])
    const picture = async () =>
      (await page.getByRole('application').screenshot({ animations: 'disabled' })).toString('base64')
    const before = await picture()
    await page.getByRole('option', { name: /Clearance/ }).click()
    await expect.poll(picture, soon).not.toBe(before)
    expect(await complaints(page, { within: '#root', hasFrames: false })).toEqual([])
    await page.setViewportSize(NARROW)
    await expect.poll(() => page.evaluate(overflowing), soon).toEqual([])
  },
  PATIENT,
)
