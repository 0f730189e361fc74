import { formatList, parse, writeNode } from '../src/index.ts'

/** Definitions as KiCad 9 has them, shortened. */
export const RESISTOR = `(symbol "Device:R"
	(pin_numbers
		(hide yes)
	)
	(pin_names
		(offset 0)
	)
	(exclude_from_sim no)
	(in_bom yes)
	(on_board yes)
	(property "Reference" "R"
		(at 2.032 0 90)
		(effects
			(font
				(size 1.27 1.27)
			)
		)
	)
	(property "Value" "R"
		(at 0 0 90)
		(effects
			(font
				(size 1.27 1.27)
			)
		)
	)
	(property "Footprint" ""
		(at -1.778 0 90)
		(effects
			(font
				(size 1.27 1.27)
			)
			(hide yes)
		)
	)
	(property "Datasheet" "~"
		(at 0 0 0)
		(effects
			(font
				(size 1.27 1.27)
			)
			(hide yes)
		)
	)
	(symbol "R_0_1"
		(rectangle
			(start -1.016 -2.54)
			(end 1.016 2.54)
			(stroke
				(width 0.254)
				(type default)
			)
			(fill
				(type none)
			)
		)
	)
	(symbol "R_1_1"
		(pin passive line
			(at 0 3.81 270)
			(length 1.27)
			(name "~"
				(effects
					(font
						(size 1.27 1.27)
					)
				)
			)
			(number "1"
				(effects
					(font
						(size 1.27 1.27)
					)
				)
			)
		)
		(pin passive line
			(at 0 -3.81 90)
			(length 1.27)
			(name "~"
				(effects
					(font
						(size 1.27 1.27)
					)
				)
			)
			(number "2"
				(effects
					(font
						(size 1.27 1.27)
					)
				)
			)
		)
	)
	(embedded_fonts no)
)`

const pin = (type: string, number: string, name: string, x: number, y: number, hidden = false) =>
  `(pin ${type} line (at ${x} ${y} 0) (length 2.54) ${hidden ? '(hide yes) ' : ''}(name "${name}") (number "${number}"))`

const definition = (id: string, flags: string, reference: string, units: readonly string[]) => {
  const name = id.split(':').at(-1) ?? ''
  const property = (key: string, value: string) =>
    `(property "${key}" "${value}" (at 0 0 0) (effects (font (size 1.27 1.27))))`
  const parts = units.map((content, unit) =>
    content === '' ? '' : `(symbol "${name}_${unit}_1" ${content})`,
  )
  return `(symbol "${id}" ${flags} (exclude_from_sim no) (in_bom yes) (on_board yes) ${property('Reference', reference)} ${property('Value', name)} ${property('Footprint', '')} ${property('Datasheet', '')} ${parts.join(' ')} (embedded_fonts no))`
}

export const GROUND = definition('power:GND', '(power)', '#PWR', ['', pin('power_in', '1', '', 0, 0, true)])
export const SUPPLY = definition('power:+5V', '(power)', '#PWR', ['', pin('power_in', '1', '', 0, 0, true)])
/** No two of its pins are where another angle or mirror axis would put one of them. */
export const SKEW = definition('Test:SKEW', '', 'U', [
  pin('power_in', '9', 'VDD', -12.7, 20.32, true),
  [
    pin('input', '1', 'A', 2.54, 5.08),
    pin('output', '2', 'Y', 7.62, -12.7),
    pin('passive', '3', 'C', -10.16, 15.24),
  ].join(' '),
  pin('input', '4', 'B', 17.78, 2.54),
])

const short = (mm: number) => Number(mm.toFixed(4))
const at = (x: number, y: number, angle?: number) =>
  `(at ${short(x)} ${short(y)}${angle === undefined ? '' : ` ${angle}`})`

/** An id that is read at a glance: `uuid(7)` ends with 7. */
export function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}
export const ROOT_ID = uuid(999)

export interface SymbolDraft {
  readonly id: number
  readonly lib: string
  readonly x: number
  readonly y: number
  readonly angle?: number
  readonly mirror?: 'x' | 'y'
  readonly unit?: number
  readonly reference: string
  readonly value?: string
  /** Other places of the hierarchy than the root, and what it is called there. */
  readonly places?: Readonly<Record<string, string>>
}

export function drawSymbol({
  id,
  lib,
  x,
  y,
  angle = 0,
  mirror,
  unit = 1,
  reference,
  value = 'V',
  places,
}: SymbolDraft): string {
  const paths = Object.entries(places ?? { [`/${ROOT_ID}`]: reference })
    .map(([path, name]) => `(path "${path}" (reference "${name}") (unit ${unit}))`)
    .join(' ')
  const property = (key: string, text: string, dy: number) =>
    `(property "${key}" "${text}" ${at(x, y + dy, 0)} (effects (font (size 1.27 1.27))))`
  return `(symbol (lib_id "${lib}") ${at(x, y, angle)} ${mirror === undefined ? '' : `(mirror ${mirror}) `}(unit ${unit}) (exclude_from_sim no) (in_bom yes) (on_board yes) (dnp no) (uuid "${uuid(id)}") ${property('Reference', reference, -2.54)} ${property('Value', value, 2.54)} ${property('Footprint', '', 0)} ${property('Datasheet', '', 0)} (instances (project "test" ${paths})))`
}

export function drawWire(
  id: number,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  kind: 'wire' | 'bus' = 'wire',
): string {
  return `(${kind} (pts (xy ${x1} ${y1}) (xy ${x2} ${y2})) (stroke (width 0) (type default)) (uuid "${uuid(id)}"))`
}

export function drawLabel(
  id: number,
  kind: 'label' | 'global_label' | 'hierarchical_label',
  text: string,
  x: number,
  y: number,
): string {
  const shape = kind === 'label' ? '' : '(shape input) '
  return `(${kind} "${text}" ${shape}${at(x, y, 0)} (effects (font (size 1.27 1.27)) (justify left)) (uuid "${uuid(id)}"))`
}

export function drawMark(id: number, kind: 'junction' | 'no_connect', x: number, y: number): string {
  const look = kind === 'junction' ? '(diameter 0) (color 0 0 0 0) ' : ''
  return `(${kind} ${at(x, y)} ${look}(uuid "${uuid(id)}"))`
}

export interface SheetDraft {
  readonly id: number
  readonly name: string
  readonly file: string
  readonly x: number
  readonly y: number
  /** Names of pins, each 2.54 mm below the one before, at the left side. */
  readonly pins?: readonly string[]
}

export function drawSheet({ id, name, file, x, y, pins = [] }: SheetDraft): string {
  const property = (key: string, text: string) =>
    `(property "${key}" "${text}" ${at(x, y, 0)} (effects (font (size 1.27 1.27)) (justify left bottom)))`
  const drawn = pins.map(
    (text, index) =>
      `(pin "${text}" input ${at(x, y + 2.54 * (index + 1), 180)} (uuid "${uuid(id * 100 + index)}") (effects (font (size 1.27 1.27)) (justify left)))`,
  )
  return `(sheet ${at(x, y)} (size 25.4 25.4) (exclude_from_sim no) (in_bom yes) (on_board yes) (dnp no) (stroke (width 0) (type solid)) (fill (color 0 0 0 0)) (uuid "${uuid(id)}") ${property('Sheetname', name)} ${property('Sheetfile', file)} ${drawn.join(' ')} (instances (project "test" (path "/${ROOT_ID}" (page "${id}")))))`
}

/** A file of KiCad 9 with these items, laid out as KiCad does it. */
export function drawFile(items: readonly string[], { id = ROOT_ID }: { readonly id?: string } = {}): string {
  const flat = `(kicad_sch (version 20250114) (generator "eeschema") (generator_version "9.0") (uuid "${id}") (paper "A4") (lib_symbols ${[RESISTOR, GROUND, SUPPLY, SKEW].join(' ')}) ${items.join(' ')} (sheet_instances (path "/" (page "1"))) (embedded_fonts no))`
  const [root] = parse(flat).roots
  if (root === undefined) throw new Error('no root')
  return `${writeNode(formatList(root, { layout: 'tabs', newline: '\n', version: 20250114 }, 0))}\n`
}

/** Something of everything, in the format of KiCad 9. */
export const SHEET_9 = drawFile([
  '(text "A note\\nof two lines" (exclude_from_sim no) (at 20.32 20.32 0) (effects (font (size 1.27 1.27))) (uuid "00000000-0000-4000-8000-000000000090"))',
  drawMark(20, 'junction', 50.8, 63.5),
  drawMark(21, 'no_connect', 101.6, 63.5),
  `(bus_entry (at 76.2 91.44) (size 2.54 -2.54) (stroke (width 0) (type default)) (uuid "${uuid(22)}"))`,
  drawWire(10, 50.8, 54.61, 50.8, 63.5),
  drawWire(11, 50.8, 63.5, 76.2, 63.5),
  drawWire(12, 50.8, 63.5, 50.8, 71.12),
  drawWire(13, 76.2, 88.9, 76.2, 101.6, 'bus'),
  drawWire(14, 78.74, 88.9, 88.9, 88.9),
  drawLabel(30, 'label', 'OUT', 76.2, 63.5),
  drawLabel(31, 'label', 'D0', 83.82, 88.9),
  drawLabel(32, 'label', 'D[0..7]', 76.2, 99.06),
  drawLabel(33, 'global_label', 'CLOCK', 88.9, 88.9),
  drawLabel(34, 'hierarchical_label', 'DATA', 120.65, 50.8),
  '(hologram (of "something new") (at 1 2))',
  drawSymbol({ id: 1, lib: 'Device:R', x: 50.8, y: 50.8, reference: 'R1', value: '10k' }),
  drawSymbol({ id: 2, lib: 'power:GND', x: 50.8, y: 71.12, reference: '#PWR01', value: 'GND' }),
  drawSymbol({
    id: 3,
    lib: 'Test:SKEW',
    x: 120.65,
    y: 101.6,
    angle: 90,
    mirror: 'x',
    unit: 2,
    reference: 'U1',
  }),
  drawSheet({
    id: 4,
    name: 'amplifier',
    file: 'amplifier.kicad_sch',
    x: 152.4,
    y: 50.8,
    pins: ['IN', 'OUT'],
  }),
])

/** The same kind of file as KiCad 6 writes it, with names of a sheet's properties in French. */
export const SHEET_6 = `(kicad_sch (version 20211123) (generator eeschema)

  (uuid ${ROOT_ID})

  (paper "User" 250 180)

  (title_block
    (title "Old")
    (date "2014-01-05")
    (rev "2")
    (company "ACME")
    (comment 1 "first")
  )

  (lib_symbols
    (symbol "Device:R" (pin_numbers hide) (pin_names (offset 0)) (in_bom yes) (on_board yes)
      (property "Reference" "R" (id 0) (at 2.032 0 90)
        (effects (font (size 1.27 1.27)))
      )
      (property "Value" "R" (id 1) (at 0 0 90)
        (effects (font (size 1.27 1.27)))
      )
      (symbol "R_0_1"
        (rectangle (start -1.016 -2.54) (end 1.016 2.54)
          (stroke (width 0.254) (type default) (color 0 0 0 0))
          (fill (type none))
        )
      )
      (symbol "R_1_1"
        (pin passive line (at 0 3.81 270) (length 1.27)
          (name "~" (effects (font (size 1.27 1.27))))
          (number "1" (effects (font (size 1.27 1.27))))
        )
        (pin passive line (at 0 -3.81 90) (length 1.27)
          (name "~" (effects (font (size 1.27 1.27))))
          (number "2" (effects (font (size 1.27 1.27))))
        )
      )
    )
  )

  (junction (at 50.8 63.5) (diameter 0) (color 0 0 0 0)
    (uuid ${uuid(20)})
  )

  (no_connect (at 101.6 63.5) (uuid ${uuid(21)}))
  (no_connect (at 101.6 66.04) (uuid ${uuid(23)}))

  (wire (pts (xy 50.8 54.61) (xy 50.8 63.5))
    (stroke (width 0) (type default) (color 0 0 0 0))
    (uuid ${uuid(10)})
  )
  (wire (pts (xy 50.8 63.5) (xy 76.2 63.5))
    (stroke (width 0) (type default) (color 0 0 0 0))
    (uuid ${uuid(11)})
  )

  (label "OUT" (at 76.2 63.5 0)
    (effects (font (size 1.27 1.27)) (justify left bottom))
    (uuid ${uuid(30)})
  )

  (symbol (lib_id "Device:R") (at 50.8 50.8 0) (unit 1)
    (in_bom yes) (on_board yes)
    (uuid ${uuid(1)})
    (property "Reference" "R1" (id 0) (at 53.34 49.5299 0)
      (effects (font (size 1.27 1.27)) (justify left))
    )
    (property "Value" "10k" (id 1) (at 53.34 52.0699 0)
      (effects (font (size 1.27 1.27)) (justify left))
    )
    (property "Footprint" "" (id 2) (at 49.022 50.8 90)
      (effects (font (size 1.27 1.27)) hide)
    )
    (pin "1" (uuid ${uuid(101)}))
    (pin "2" (uuid ${uuid(102)}))
  )

  (sheet (at 152.4 50.8) (size 25.4 25.4)
    (stroke (width 0) (type solid) (color 0 0 0 0))
    (fill (color 0 0 0 0.0000))
    (uuid ${uuid(4)})
    (property "Nom feuille" "amplifier" (id 0) (at 152.4 50.0376 0)
      (effects (font (size 1.27 1.27)) (justify left bottom))
    )
    (property "Fichier de feuille" "amplifier.kicad_sch" (id 1) (at 152.4 76.7801 0)
      (effects (font (size 1.27 1.27)) (justify left top))
    )
    (pin "IN" input (at 152.4 53.34 180)
      (effects (font (size 1.27 1.27)) (justify left))
      (uuid ${uuid(400)})
    )
  )

  (sheet_instances
    (path "/" (page "1"))
    (path "/${uuid(4)}" (page "2"))
  )

  (symbol_instances
    (path "/${uuid(1)}"
      (reference "R7") (unit 1) (value "10k") (footprint "")
    )
  )
)
`
