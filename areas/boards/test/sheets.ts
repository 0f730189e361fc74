import { randomUUID } from 'node:crypto'
import type { SchematicChangeRequest } from '@patchbay/contracts/boards'
import { changeSchematic } from '../src/schematic.ts'

const property = (key: string, value: string) =>
  `(property "${key}" "${value}" (at 0 0 0) (effects (font (size 1.27 1.27))))`
const pin = (type: string, number: string, name: string, x: number, y: number, angle: number) =>
  `(pin ${type} line (at ${x} ${y} ${angle}) (length 2.54) (name "${name}") (number "${number}"))`
const definition = (id: string, flags: string, reference: string, pins: readonly string[]) => {
  const name = id.slice(id.indexOf(':') + 1)
  return `(symbol "${id}" ${flags} (exclude_from_sim no) (in_bom yes) (on_board yes) ${property('Reference', reference)} ${property('Value', name)} ${property('Footprint', '')} ${property('Datasheet', '')} (symbol "${name}_1_1" ${pins.join(' ')}) (embedded_fonts no))`
}

export const RESISTOR = definition('Device:R', '', 'R', [
  pin('passive', '1', '~', 0, 3.81, 270),
  pin('passive', '2', '~', 0, -3.81, 90),
])
export const BUFFER = definition('Test:BUF', '', 'U', [
  pin('input', '1', 'A', -7.62, 0, 0),
  pin('output', '2', 'Y', 7.62, 0, 180),
])
export const GROUND = definition('power:GND', '(power)', '#PWR', [pin('power_in', '1', '', 0, 0, 270)])
export const FLAG = definition('power:PWR_FLAG', '(power)', '#FLG', [pin('power_out', '1', '', 0, 0, 90)])

export const MM = 1_000_000
export const at = (x: number, y: number) => ({ x: x * MM, y: y * MM })

export const EMPTY = `(kicad_sch
	(version 20250114)
	(generator "eeschema")
	(generator_version "9.0")
	(uuid "5b9623a5-6d01-41fc-9865-e1bc779418c8")
	(paper "A4")
	(lib_symbols)
	(sheet_instances
		(path "/"
			(page "1")
		)
	)
)
`

export function changed(text: string, ...requests: readonly SchematicChangeRequest[]) {
  const { edits, added } = changeSchematic(text, 'hw/lamp.kicad_sch', requests, randomUUID)
  const after = edits.reduceRight(
    (now, edit) => now.slice(0, edit.at) + edit.text + now.slice(edit.at + edit.length),
    text,
  )
  return { text: after, added }
}

/** A buffer between two resistors, all of them unconnected. */
export const LAMP = changed(
  EMPTY,
  { type: 'addSymbol', libId: 'Device:R', definition: RESISTOR, at: at(76.2, 76.2), angle: 0 },
  { type: 'addSymbol', libId: 'Test:BUF', definition: BUFFER, at: at(101.6, 76.2), angle: 0 },
  { type: 'addSymbol', libId: 'Device:R', at: at(127, 76.2), angle: 90, value: '330' },
).text
