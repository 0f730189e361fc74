import { writeFile } from 'node:fs/promises'
import { createLog } from '@patchbay/kernel/log'
import { deepTest, depth } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NAMING_LIMITS, type NamingLimits } from '../../src/naming/config.ts'
import { createNaming } from '../../src/naming/naming.io.ts'
import { createTextNamer } from '../../src/naming/text-namer.io.ts'
import { pictureForReading } from '../../src/naming/text-picture.io.ts'
import { createTextReader } from '../../src/naming/text-reader.io.ts'
import type { Naming } from '../../src/ports.ts'
import { createEasel, type Drawing, type Easel, heading } from './pictures.ts'

const NEVER = new AbortController().signal
const NOTHING = { note: 'No text was found in the picture that could name it.' }
const LONG_MS = 120_000

let easel: Easel
let shared: Naming
beforeAll(async () => {
  easel = await createEasel()
  shared = open()
})
afterAll(async () => {
  await shared[Symbol.asyncDispose]()
  await easel[Symbol.asyncDispose]()
})

function open(limits: Partial<NamingLimits> = {}): Naming {
  // What takes long here is the machine, unless a test says otherwise.
  return createNaming(
    { kind: 'text' },
    { log: createLog({ level: 'silent', process: 'test' }), limits: { readDeadlineMs: 90_000, ...limits } },
  )
}

const DIALOG: Drawing = {
  size: [900, 600],
  texts: [
    { text: 'Workbench', at: [12, 21], size: 13 },
    { text: 'Motor controller settings', at: [24, 76], size: 26 },
    { text: 'Maximum speed', at: [230, 130], size: 14 },
    { text: '3000 rpm', at: [442, 130], size: 14 },
    { text: 'Current limit', at: [230, 174], size: 14 },
    { text: 'Apply', at: [678, 563], size: 14 },
  ],
}
const BOARD_EDITOR: Drawing = {
  size: [1920, 1080],
  ground: '#1e1e24',
  ink: '#dddddd',
  texts: [
    { text: 'Power supply board — PCB Editor', at: [14, 20], size: 13 },
    ...['File', 'Edit', 'View', 'Place', 'Route', 'Help'].map((text, index) => ({
      text,
      at: [14 + index * 80, 49] as const,
      size: 13,
    })),
    { text: 'Layers', at: [1656, 88], size: 15 },
    { text: 'X 104.140 Y 77.470', at: [14, 1070], size: 12 },
  ],
}
const UPDATE_IN_4K: Drawing = {
  size: [3840, 2160],
  ground: '#0b0f14',
  ink: '#9fef9f',
  texts: [
    { text: 'Firmware update failed', at: [1350, 880], size: 44 },
    { text: 'The bootloader did not answer on port ttyACM0.', at: [1350, 950], size: 26 },
  ],
}
const SMALL: Drawing = {
  size: [360, 200],
  texts: [{ text: 'Motor controller settings', at: [16, 28], size: 13 }],
}

const NAMED: [string, Drawing, string][] = [
  ['a dialog', DIALOG, 'motor-controller-settings'],
  ['a screen in 4K, light on dark', UPDATE_IN_4K, 'firmware-update-failed'],
  ['a small cut-out', SMALL, 'motor-controller-settings'],
]
const EDITOR: [string, Drawing, string] = ['an editor', BOARD_EDITOR, 'power-supply-board-pcb-editor']
test.each(depth({ common: NAMED, deep: [...NAMED, EDITOR] }))(
  '[E-96] %s is named by its heading',
  async (_, drawing, name) => {
    expect(shared.kind).toBe('text')
    expect(await shared.suggest(await easel.draw(drawing), NEVER)).toEqual({ name, by: 'text' })
  },
  LONG_MS,
)

test(
  '[E-176] C13: a heading that the edge of the picture cuts gives the words that are whole',
  async () => {
    const cut = { size: [372, 160], texts: [{ text: 'Ripple measurement', at: [20, 70], size: 36 }] } as const
    expect(await shared.suggest(await easel.draw(cut), NEVER)).toEqual({ name: 'ripple', by: 'text' })
  },
  LONG_MS,
)

test('[E-175] C13: the title names the picture before the text in it', async () => {
  const titled = await easel.draw(heading('Order summary'), 'The output ripple at 5 V?')
  expect(await shared.suggest(titled, NEVER)).toEqual({ name: 'the-output-ripple-at-5-v', by: 'title' })
})

test(
  '[E-175] C13: a title that gives no name leaves it to the text',
  async () => {
    const titled = await easel.draw(heading('Order summary'), '電源 🙂')
    expect(await shared.suggest(titled, NEVER)).toEqual({ name: 'order-summary', by: 'text' })
  },
  LONG_MS,
)

deepTest.each<[string, Drawing]>([
  ['an empty picture', { size: [800, 500] }],
  ['a line of one pixel', { size: [1, 400] }],
  ['a picture of one pixel', { size: [1, 1] }],
])(
  '[E-103] %s gives a note',
  async (_, drawing) => {
    expect(await shared.suggest(await easel.draw(drawing), NEVER)).toEqual(NOTHING)
  },
  LONG_MS,
)

/** In the noise of these seeds the engine is sure of “22”, of “LY”, of “2253” and of “Byes”. */
const NOISE = [
  { side: 150, seed: 6 },
  { side: 300, seed: 1 },
  { side: 300, seed: 15 },
  { side: 300, seed: 31 },
]
deepTest.each(depth({ common: NOISE.slice(0, 1), deep: NOISE }))(
  '[E-103] noise gives a note, whatever word is in it: $side $seed',
  async ({ side, seed }) => {
    expect(await shared.suggest(await easel.drawNoise(side, seed), NEVER)).toEqual(NOTHING)
  },
  LONG_MS,
)

test(
  '[E-102] a file that is no picture, or not there, gives a note, and the next one a name',
  async () => {
    const picture = await easel.draw(heading('Order summary'))
    const text = `${easel.folder}/text.png`
    await writeFile(text, 'not a picture')
    const failed = { note: 'The text in the picture could not be read.' }
    expect(await shared.suggest({ ...picture, original: text }, NEVER)).toEqual(failed)
    expect(await shared.suggest({ ...picture, original: `${easel.folder}/gone.png` }, NEVER)).toEqual(failed)
    expect(await shared.suggest(picture, NEVER)).toEqual({ name: 'order-summary', by: 'text' })
  },
  LONG_MS,
)

deepTest(
  '[E-99] pictures at once are read one after the other; too many are turned away',
  async () => {
    await using naming = open({ waitingForText: 1 })
    const pictures = await Promise.all(
      ['Order summary', 'Motor settings', 'Spare part'].map((text) => easel.draw(heading(text))),
    )
    const answers = await Promise.all(pictures.map((picture) => naming.suggest(picture, NEVER)))
    expect(answers).toEqual([
      { name: 'order-summary', by: 'text' },
      { name: 'motor-settings', by: 'text' },
      { note: 'Too many pictures wait for a name.' },
    ])
  },
  LONG_MS,
)

test(
  '[E-100] reading that takes too long gives a note, and the next picture is read',
  async () => {
    const picture = await easel.draw(heading('Order summary'))
    await using reader = createTextReader(NAMING_LIMITS)
    // Less than a thread takes to start.
    const hasty = createTextNamer(reader, { ...NAMING_LIMITS, readDeadlineMs: 20 })
    expect(await hasty(picture, NEVER)).toEqual({ note: 'Reading the text in the picture took too long.' })
    expect(reader.threadId).toBeUndefined()
    const patient = createTextNamer(reader, { ...NAMING_LIMITS, readDeadlineMs: 90_000 })
    expect(await patient(picture, NEVER)).toEqual({ name: 'order-summary' })
  },
  LONG_MS,
)

deepTest(
  '[E-94][E-101] stopping a search ends its thread, in the middle of a picture, and the next one works',
  async () => {
    const request = await readable(DIALOG)
    await using reader = createTextReader(NAMING_LIMITS)
    await reader.read(await readable(heading('Warm up')), NEVER)
    const stop = new AbortController()
    const reading = reader.read(request, stop.signal)
    // The engine takes far longer than this turn.
    setImmediate(() => stop.abort(new Error('stopped')))
    await expect(reading).rejects.toThrow('stopped')
    expect(reader.threadId).toBeUndefined()
    const lines = await reader.read(await readable(heading('Order summary')), NEVER)
    expect(lines.flatMap(({ words }) => words.map(({ text }) => text))).toEqual(['Order', 'summary'])
  },
  LONG_MS,
)

deepTest(
  '[E-94] a search that is stopped while it waits or works says so, and others go on',
  async () => {
    await using naming = open()
    const picture = await easel.draw(heading('Order summary'))
    const stop = new AbortController()
    const [works, waits, stays] = [
      naming.suggest(picture, stop.signal),
      naming.suggest(picture, stop.signal),
      naming.suggest(picture, NEVER),
    ]
    stop.abort()
    const stopped = { note: 'The search for a name was stopped.' }
    expect(await Promise.all([works, waits])).toEqual([stopped, stopped])
    expect(await stays).toEqual({ name: 'order-summary', by: 'text' })
    expect(await naming.suggest(picture, AbortSignal.abort())).toEqual(stopped)
  },
  LONG_MS,
)

deepTest(
  '[E-101] the thread ends after a while without work, and when the reader is closed',
  async () => {
    const reader = createTextReader({ idleMs: 50 })
    await reader.read(await readable(heading('Order summary')), NEVER)
    await waitUntil('the thread has ended', () => reader.threadId === undefined)
    await using other = createTextReader({ idleMs: 600_000 })
    await other.read(await readable(heading('Order summary')), NEVER)
    expect(other.threadId).toBeGreaterThan(0)
    await other[Symbol.asyncDispose]()
    expect(other.threadId).toBeUndefined()
  },
  LONG_MS,
)

deepTest(
  '[E-102] a thread that ends by a fault gives a note, and the next search has another one',
  async () => {
    const script = new URL('./crashing.worker.ts', import.meta.url)
    await using reader = createTextReader({ idleMs: 600_000, script })
    const byText = createTextNamer(reader, { ...NAMING_LIMITS, readDeadlineMs: 90_000 })
    const deadly = await easel.draw({
      size: [400, 202],
      texts: [{ text: 'Order summary', at: [10, 50], size: 20 }],
    })
    const harmless = await easel.draw(heading('Order summary'))
    expect(await byText(harmless, NEVER)).toEqual({ name: 'order-summary' })
    expect(await byText(deadly, NEVER)).toEqual({ note: 'The text in the picture could not be read.' })
    expect(reader.threadId).toBeUndefined()
    expect(await byText(harmless, NEVER)).toEqual({ name: 'order-summary' })
  },
  LONG_MS,
)

async function readable(drawing: Drawing) {
  const { original } = await easel.draw(drawing)
  const request = await pictureForReading(original)
  if (request === undefined) throw new Error('too small to be read')
  return request
}
