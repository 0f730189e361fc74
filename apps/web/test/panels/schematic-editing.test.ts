import { EDITING_CHANNEL } from '@patchbay/contracts/content'
import {
  applyChange,
  parse,
  readSchematic,
  type SchematicChange,
  textEdits,
  write,
} from '@patchbay/kicad-format'
import { depth } from '@patchbay/testkit/depth'
import { expect, test, vi } from 'vitest'
import { revert } from '../../src/workspace/panels/schematic-editor/editing/revert.ts'
import {
  changeSetOf,
  type ForeignEdit,
  SharedSheet,
} from '../../src/workspace/panels/schematic-editor/editing/shared-sheet.ts'
import { anyChange, chance } from './schematic/any-change.ts'
import { LAMP, LED_LABEL, RESISTOR } from './schematic/lamp-project.ts'
import { LoneEditor } from './schematic/lone-editor.ts'

const TEXT = LAMP['lamp.kicad_sch'] ?? ''
const MOVE: SchematicChange = { type: 'move', ids: [RESISTOR], by: { x: 1_270_000, y: 0 } }
const RENAME: SchematicChange = { type: 'setText', id: LED_LABEL, text: 'GLOW' }

function open(clientId: string, text = TEXT): SharedSheet {
  const sheet = SharedSheet.open(text, 0, clientId)
  if (sheet === undefined) throw new Error('no schematic')
  return sheet
}

/** The order of the server: edits are taken on the version that is there, or not at all. */
class Order {
  readonly edits: ForeignEdit[] = []

  push(clientId: string, sheet: SharedSheet): boolean {
    const made = sheet.take(10)
    if (made.length === 0) return true
    if (sheet.version !== this.edits.length) {
      sheet.refused()
      return false
    }
    this.edits.push(...made.map((changes) => ({ clientId, changes })))
    return true
  }

  tell(sheet: SharedSheet): number {
    return sheet.receive(this.edits.slice(sheet.version))
  }
}

test('[W-860] a change is shown at once, and what is sent makes the same text elsewhere', () => {
  const [ada, ben, order] = [open('ada'), open('ben'), new Order()]
  expect(ada.change([MOVE, RENAME])).toBeUndefined()
  expect(write(ada.document)).toContain('"GLOW"')
  order.push('ada', ada)
  order.tell(ben)
  expect(write(ben.document)).toBe(write(ada.document))
  order.tell(ada)
  expect(ada.isSent).toBe(true)
})

test('[W-860] characters of two halves are never cut', () => {
  const before = parse(TEXT)
  const at = (document: typeof before, text: string) =>
    applyChange(document, { type: 'setText', id: LED_LABEL, text }).document ?? document
  const [smile, laugh] = [at(before, 'DIM😀'), at(before, 'DIM😂')]
  expect(textEdits(smile, laugh)).toHaveLength(1)
  expect(JSON.stringify(changeSetOf(smile, laugh).toJSON())).toContain('😂')
})

test('[W-862] what came first is kept, and the steps of this page are made again on it', () => {
  const [ada, ben, order] = [open('ada'), open('ben'), new Order()]
  ada.change([MOVE])
  ben.change([RENAME])
  expect(order.push('ada', ada)).toBe(true)
  expect(order.push('ben', ben)).toBe(false)
  expect(order.tell(ben)).toBe(0)
  expect(order.push('ben', ben)).toBe(true)
  order.tell(ada)
  order.tell(ben)
  expect(write(ada.document)).toBe(write(ben.document))
  expect(write(ada.document)).toContain('"GLOW"')
  expect(write(ada.document)).toContain('161.29 95.25')
})

test('[W-862] whoever goes on after a refusal does not wait for another try', async () => {
  vi.useFakeTimers()
  try {
    const said: { readonly type: string }[] = []
    const editor = new LoneEditor({
      clientId: 'ada',
      path: 'lamp.kicad_sch',
      load: () => Promise.resolve({ document: 1, version: 0, savedVersion: 0, text: TEXT }),
      say: (_, message) => void said.push(message as { readonly type: string }),
    })
    const pushes = () => said.filter(({ type }) => type === 'push').length
    await vi.advanceTimersByTimeAsync(0)
    editor.change([MOVE])
    await vi.advanceTimersByTimeAsync(100)
    expect(pushes()).toBe(1)
    const refusal = { type: 'refused', document: 1, code: 'file_changed', message: 'x' }
    editor.hear(EDITING_CHANNEL, refusal)
    editor.change([RENAME])
    await vi.advanceTimersByTimeAsync(100)
    expect(pushes()).toBe(2)
    editor.hear(EDITING_CHANNEL, refusal)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(pushes()).toBe(3)
    editor.close()
  } finally {
    vi.useRealTimers()
  }
})

test('[W-862] a step that cannot be made anymore is dropped as a whole', () => {
  const [ada, ben, order] = [open('ada'), open('ben'), new Order()]
  ada.change([{ type: 'delete', ids: [RESISTOR] }])
  ben.change([RENAME, MOVE])
  order.push('ada', ada)
  expect(order.tell(ben)).toBe(1)
  expect(write(ben.document)).toBe(write(ada.document))
  expect(ben.isSent).toBe(true)
  expect(ben.mayUndo).toBe(false)
})

test('[W-864] undo and redo give back the same bytes', () => {
  const ada = open('ada')
  ada.change([MOVE, { type: 'rotate', ids: [RESISTOR], about: { x: 0, y: 0 }, turns: 1 }])
  const changed = write(ada.document)
  ada.change([{ type: 'delete', ids: [RESISTOR, LED_LABEL] }])
  expect([ada.undo(), write(ada.document) === changed]).toEqual([true, true])
  expect([ada.undo(), write(ada.document) === TEXT]).toEqual([true, true])
  expect([ada.redo(), write(ada.document) === changed]).toEqual([true, true])
  expect(ada.mayRedo).toBe(true)
})

test('[W-864] undo takes back what this page did, and nothing of others', () => {
  const [ada, ben, order] = [open('ada'), open('ben'), new Order()]
  ada.change([{ type: 'delete', ids: [RESISTOR] }])
  order.push('ada', ada)
  order.tell(ben)
  ben.change([RENAME])
  order.push('ben', ben)
  for (const one of [ada, ben]) order.tell(one)
  expect(ada.undo()).toBe(true)
  expect(write(ada.document)).toContain(RESISTOR)
  expect(write(ada.document)).toContain('"GLOW"')
  expect(write(ada.document)).toBe(TEXT.replace('"DIM"', '"GLOW"'))
})

test('[W-864] what somebody else has changed since is not undone', () => {
  const [ada, ben, order] = [open('ada'), open('ben'), new Order()]
  ada.change([RENAME])
  order.push('ada', ada)
  order.tell(ben)
  ben.change([{ ...RENAME, text: 'SHINE' }])
  order.push('ben', ben)
  for (const one of [ada, ben]) order.tell(one)
  expect(ada.undo()).toBe(false)
  expect(write(ada.document)).toContain('"SHINE"')
})

test('[W-865] while the text cannot be read its last state is shown, and the steps of this page wait', () => {
  const ada = open('ada')
  const edit = (changes: unknown) => ada.receive([{ clientId: 'text', changes }])
  const all = TEXT.length
  ada.change([MOVE])
  edit([[1, ''], all - 1])
  expect(ada.isReadable).toBe(false)
  expect(ada.change([RENAME])).toBeUndefined()
  expect(write(ada.document)).not.toContain('"GLOW"')
  expect(ada.take(10)).toEqual([])
  edit([[0, '('], all - 1])
  expect(ada.isReadable).toBe(true)
  expect(write(ada.document)).toContain('161.29 95.25')
  expect(ada.take(10)).toHaveLength(1)
})

test('[W-861] what was on its way when the connection was lost counts once', () => {
  const [ada, order] = [open('ada'), new Order()]
  ada.change([MOVE])
  order.push('ada', ada)
  ada.refused()
  order.tell(ada)
  expect(ada.take(10)).toEqual([])
  expect(write(ada.document)).toContain('161.29 95.25')
})

test('[W-863][W-864] after any sequence two editors have the same schematic, and undo leads back', () => {
  const runs = depth({ common: 60, deep: 10_000 })
  for (let run = 0; run < runs; run += 1) {
    const next = chance(run)
    const [ada, ben, order] = [open('ada'), open('ben'), new Order()]
    const editors = [
      ['ada', ada],
      ['ben', ben],
    ] as const
    for (let step = 0; step < 24; step += 1) {
      const [name, sheet] = editors[next(2)] ?? editors[0]
      switch (next(6)) {
        case 0:
          order.tell(sheet)
          break
        case 1:
          order.push(name, sheet)
          break
        case 2:
          sheet.undo()
          break
        case 3:
          sheet.redo()
          break
        default:
          sheet.change([anyChange(sheet.document, next)])
      }
    }
    for (let round = 0; round < 4; round += 1)
      for (const [name, sheet] of editors) {
        order.tell(sheet)
        order.push(name, sheet)
      }
    for (const [, sheet] of editors) order.tell(sheet)
    expect([run, ada.isSent, ben.isSent, ada.version === order.edits.length]).toEqual([run, true, true, true])
    expect(write(ada.document)).toBe(write(ben.document))
    expect(readSchematic(parse(write(ada.document)))?.unknown).toEqual([])
    // Alone from here on, each step back gives the bytes that were there.
    const before = write(ada.document)
    const made = [0, 1, 2].filter(() => ada.change([anyChange(ada.document, next)]) === undefined).length
    for (let step = 0; step < made; step += 1) expect(ada.undo()).toBe(true)
    expect(write(ada.document)).toBe(before)
  }
}, 3_600_000)

test('[W-864] of the very version that it leads from, going back is the other one', () => {
  const before = parse(TEXT)
  const after = applyChange(before, MOVE).document ?? before
  expect(revert(after, after, before)).toBe(before)
  expect(revert(parse(write(after)), after, before)).not.toBe(before)
  expect(write(revert(parse(write(after)), after, before) ?? after)).toBe(TEXT)
})
