import type { SchematicChangeRequest } from '@patchbay/client/workspaces'

const property = (key: string, value: string) =>
  `(property "${key}" "${value}" (at 0 0 0) (effects (font (size 1.27 1.27))))`
const pin = (type: string, number: string, name: string, x: number, y: number, angle: number) =>
  `(pin ${type} line (at ${x} ${y} ${angle}) (length 2.54) (name "${name}") (number "${number}"))`
const definition = (id: string, reference: string, pins: readonly string[]) => {
  const name = id.slice(id.indexOf(':') + 1)
  return `(symbol "${id}" (exclude_from_sim no) (in_bom yes) (on_board yes) ${property('Reference', reference)} ${property('Value', name)} ${property('Footprint', '')} ${property('Datasheet', '')} (symbol "${name}_1_1" ${pins.join(' ')}) (embedded_fonts no))`
}

const RESISTOR = definition('Device:R', 'R', [
  pin('passive', '1', '~', 0, 3.81, 270),
  pin('passive', '2', '~', 0, -3.81, 90),
])
const BUFFER = definition('Test:BUF', 'U', [
  pin('input', '1', 'A', -7.62, 0, 0),
  pin('output', '2', 'Y', 7.62, 0, 180),
])

export const EMPTY_SHEET = `(kicad_sch
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

const at = (x: number, y: number) => ({ x: x * 1_000_000, y: y * 1_000_000 })

/** A buffer between two resistors, all of them unconnected. */
export const LAMP: readonly SchematicChangeRequest[] = [
  { type: 'addSymbol', libId: 'Device:R', definition: RESISTOR, at: at(76.2, 76.2), angle: 0, value: '10k' },
  { type: 'addSymbol', libId: 'Test:BUF', definition: BUFFER, at: at(101.6, 76.2), angle: 0 },
  { type: 'addSymbol', libId: 'Device:R', at: at(127, 76.2), angle: 90, value: '330' },
]

/** A board of 20 by 10 millimeters with one track that is too close to its edge. */
export const BOARD = `(kicad_pcb
	(version 20241229)
	(generator "pcbnew")
	(generator_version "9.0")
	(general
		(thickness 1.6)
	)
	(paper "A4")
	(layers
		(0 "F.Cu" signal)
		(2 "B.Cu" signal)
		(25 "Edge.Cuts" user)
	)
	(net 0 "")
	(net 1 "LAMP")
	(gr_rect
		(start 100 100)
		(end 120 110)
		(stroke
			(width 0.05)
			(type default)
		)
		(fill no)
		(layer "Edge.Cuts")
		(uuid "00000000-0000-4000-8000-000000000001")
	)
	(segment
		(start 105 100.1)
		(end 115 100.1)
		(width 0.2)
		(layer "F.Cu")
		(net 1)
		(uuid "00000000-0000-4000-8000-000000000002")
	)
)
`

/** As an agent asks for it: what connects all of `LAMP`, in which nothing drives anything. */
export const CONNECTIONS = [
  { do: 'connect', pins: ['R1.2', 'U1.1'] },
  { do: 'connect', pins: ['U1.2', 'R2.1'], net: 'LAMP' },
  { do: 'connect', pins: ['R1.1', 'R2.2'], net: 'LOOP' },
]
