import type { SchematicChangeRequest } from '@patchbay/contracts/boards'
import { Problem } from '@patchbay/contracts/core'
import { parse, readSchematic } from '@patchbay/kicad-format'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { askKicad, whyNoKicad } from './kicad-cli.ts'
import { at, changed, EMPTY, FLAG, GROUND, LAMP } from './sheets.ts'

const noKicad = whyNoKicad()
const connect = (...pins: readonly string[]): SchematicChangeRequest => ({
  type: 'connect',
  pins: pins.map((name) => {
    const [reference = '', pin = ''] = name.split('.')
    return { reference, pin }
  }),
})
const itemsOf = (text: string) => readSchematic(parse(text))?.items ?? []

function refusalOf(text: string, ...requests: readonly SchematicChangeRequest[]) {
  try {
    changed(text, ...requests)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { code: error.code, ...error.extensions }
  }
  return undefined
}

test('[H-70] symbols get ids, references and places where the request says none', () => {
  const { text, added } = changed(
    EMPTY,
    { type: 'addSymbol', libId: 'power:GND', definition: GROUND, at: at(50.8, 50.8), angle: 0 },
    { type: 'addSymbol', libId: 'power:GND', at: at(63.5, 50.8), angle: 0 },
    { type: 'addSymbol', libId: 'power:GND', at: at(76.2, 50.8), angle: 0, reference: '#PWR09' },
  )
  expect(added.map(({ change, reference }) => ({ change, reference }))).toEqual([
    { change: 0, reference: '#PWR01' },
    { change: 1, reference: '#PWR02' },
    { change: 2, reference: '#PWR09' },
  ])
  expect(itemsOf(text).map(({ id }) => id)).toEqual(added.map(({ id }) => id))
  const [first] = itemsOf(text)
  expect(first).toMatchObject({
    instances: [{ project: 'lamp', path: '/5b9623a5-6d01-41fc-9865-e1bc779418c8', reference: '#PWR01' }],
  })
})

test('[H-71] a symbol is named by its reference, and wires follow what moves', () => {
  const wired = changed(LAMP, {
    type: 'addLine',
    kind: 'wire',
    from: at(76.2, 80.01),
    to: at(76.2, 90.17),
  })
  const moved = changed(wired.text, { type: 'move', ids: ['R1'], by: at(2.54, 0) }).text
  expect(itemsOf(moved)).toContainEqual(
    expect.objectContaining({ kind: 'wire', from: at(78.74, 80.01), to: at(76.2, 90.17) }),
  )
  const left = changed(wired.text, { type: 'move', ids: ['R1'], by: at(2.54, 0), ends: [] }).text
  expect(itemsOf(left)).toContainEqual(expect.objectContaining({ kind: 'wire', from: at(76.2, 80.01) }))
  const valued = changed(LAMP, { type: 'setProperty', id: 'R2', name: 'Value', value: '470' }).text
  // What the change is not about is the same to the byte.
  expect(valued).toBe(LAMP.replace('"330"', '"470"'))
  expect(itemsOf(changed(LAMP, { type: 'delete', ids: ['U1', 'R1'] }).text)).toHaveLength(1)
})

test('[H-72] what makes no sense is refused with the index, the code and the item, and nothing is changed', () => {
  const code = 'schematic_change_refused'
  const fine = connect('R1.2', 'U1.1')
  expect(refusalOf(LAMP, fine, { type: 'delete', ids: ['R7'] })).toEqual({
    code,
    change: 1,
    refusal: 'no_such_item',
    item: 'R7',
  })
  expect(refusalOf(LAMP, connect('R1.3', 'U1.1'))).toMatchObject({ refusal: 'no_such_pin', item: 'R1.3' })
  expect(refusalOf(LAMP, connect('R1.2'))).toMatchObject({ refusal: 'net_needed' })
  expect(
    refusalOf(LAMP, { type: 'addSymbol', libId: 'Device:C', at: at(50.8, 50.8), angle: 0 }),
  ).toMatchObject({ refusal: 'no_definition' })
  const named = changed(
    LAMP,
    { ...fine, net: 'IN' } as SchematicChangeRequest,
    { ...connect('U1.2', 'R2.1'), net: 'OUT' } as SchematicChangeRequest,
  ).text
  expect(refusalOf(named, connect('U1.1', 'U1.2'))).toMatchObject({ refusal: 'nets_differ' })
  expect(refusalOf(named, { type: 'markNoConnect', pins: [{ reference: 'U1', pin: '1' }] })).toMatchObject({
    refusal: 'pin_is_connected',
    item: 'U1.1',
  })
  expect(refusalOf('(kicad_pcb)', fine)).toMatchObject({ refusal: 'not_a_schematic' })
  expect(refusalOf('(kicad_sch', fine)).toMatchObject({ code: 'board_file_refused', line: 1 })
})

deepTest('[H-73] a sheet that is made so that its nets take minutes to find is refused soon', () => {
  const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  const tangle = (line: (index: number) => string, place: (index: number) => string) =>
    LAMP.replace(
      '\t(sheet_instances',
      `${Array.from(
        { length: 4_000 },
        (_, index) =>
          `(wire (pts ${line(index)}) (uuid "${id(2 * index)}"))(junction (at ${place(index)}) (uuid "${id(2 * index + 1)}"))`,
      ).join('')}\t(sheet_instances`,
    )
  const slanted = tangle(
    (index) => `(xy 0 0) (xy 100 ${index + 1})`,
    (index) => `${index} 5`,
  )
  const inOneRow = tangle(
    (index) => `(xy 0 5) (xy ${index + 1} 5)`,
    (index) => `${index} 5`,
  )
  for (const text of [slanted, inOneRow])
    expect(refusalOf(text, connect('R1.2', 'U1.1'))).toMatchObject({ refusal: 'too_tangled' })
})

test('[H-73] what is connected already stays as it is', () => {
  const once = changed(LAMP, connect('R1.2', 'U1.1')).text
  expect(changed(once, connect('R1.2', 'U1.1')).text).toBe(once)
})

deepTest.skipIf(noKicad !== undefined)(
  `[H-73] KiCad sees pins connected, and its rules are no longer broken${noKicad === undefined ? '' : `: ${noKicad}`}`,
  { timeout: 120_000 },
  () => {
    const before = askKicad(LAMP)
    expect(before.broken).toContain('pin_not_connected')
    expect(before.broken).toContain('pin_not_driven')
    const { text } = changed(
      LAMP,
      { type: 'markNoConnect', pins: [{ reference: 'R2', pin: '1' }] },
      connect('R1.2', 'U1.1'),
      { ...connect('U1.2', 'R2.1'), net: 'LAMP' } as SchematicChangeRequest,
      { type: 'addSymbol', libId: 'power:GND', definition: GROUND, at: at(127, 101.6), angle: 0 },
      { type: 'addSymbol', libId: 'power:PWR_FLAG', definition: FLAG, at: at(139.7, 101.6), angle: 0 },
      connect('#PWR01.1', 'R2.2'),
      connect('R2.2', '#FLG01.1'),
      connect('U1.2', 'R1.1'),
    )
    const after = askKicad(text)
    // This computer may have no libraries.
    expect(after.broken.filter((type) => !type.startsWith('lib_'))).toEqual([])
    expect(after.nets).toEqual({
      '/LAMP': ['R1.1', 'R2.1', 'U1.2'],
      '/R1_2': ['R1.2', 'U1.1'],
      GND: ['R2.2'],
    })
  },
)
