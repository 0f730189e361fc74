/** A schematic of two sheets that tests and pictures use: a lamp, and what measures how bright it is around it. */

let given = 0
/** Ids that are the same in every run. */
const id = () => {
  given += 1
  return `1a3b5c7d-0000-4000-8000-${String(given).padStart(12, '0')}`
}

const ROOT = id()
const SENSOR = id()
export const LED_LABEL = id()
export const RESISTOR = id()
export const ROOT_PATH = `/${ROOT}`

const font = (more = '') => `(effects (font (size 1.27 1.27))${more})`
const hidden = font(' (hide yes)')
const property = (name: string, value: string, at: string, effects = font()) =>
  `(property "${name}" "${value}" (at ${at}) ${effects})`
const pin = (type: string, at: string, length: number, name: string, number: string) =>
  `(pin ${type} line (at ${at}) (length ${length}) (name "${name}" ${font()}) (number "${number}" ${font()}))`
const stroke = '(stroke (width 0.254) (type default)) (fill (type none))'
const line = (...points: readonly string[]) =>
  `(polyline (pts ${points.map((point) => `(xy ${point})`).join(' ')}) ${stroke})`

function definition(
  library: string,
  name: string,
  prefix: string,
  head: string,
  body: string,
  pins: string,
): string {
  return `(symbol "${library}${name}" ${head} (exclude_from_sim no) (in_bom yes) (on_board yes)
	${property('Reference', prefix, '0 3.81 0')}
	${property('Value', name, '0 -3.81 0')}
	${property('Footprint', '', '0 0 0', hidden)}
	${property('Datasheet', '~', '0 0 0', hidden)}
	${property('Description', `${name} of the lamp`, '0 0 0', hidden)}
	(symbol "${name}_0_1" ${body})
	(symbol "${name}_1_1" ${pins}))`
}

const plain = '(pin_numbers (hide yes)) (pin_names (offset 0))'
const resistor = (library: string) =>
  definition(
    library,
    'R',
    'R',
    plain,
    `(rectangle (start -1.016 -2.54) (end 1.016 2.54) ${stroke})`,
    pin('passive', '0 3.81 270', 1.27, '', '1') + pin('passive', '0 -3.81 90', 1.27, '', '2'),
  )
const capacitor = (library: string) =>
  definition(
    library,
    'C',
    'C',
    plain,
    `${line('-2.032 0.762', '2.032 0.762')} ${line('-2.032 -0.762', '2.032 -0.762')}`,
    pin('passive', '0 3.81 270', 2.794, '', '1') + pin('passive', '0 -3.81 90', 2.794, '', '2'),
  )
const led = (library: string) =>
  definition(
    library,
    'LED',
    'D',
    '(pin_numbers (hide yes)) (pin_names (offset 1.016) (hide yes))',
    `${line('-1.27 -1.27', '-1.27 1.27')} ${line('1.27 -1.27', '1.27 1.27', '-1.27 0', '1.27 -1.27')}
	${line('-3.048 -0.762', '-4.572 -2.286', '-3.81 -2.286')}`,
    pin('passive', '-3.81 0 0', 2.54, 'K', '1') + pin('passive', '3.81 0 180', 2.54, 'A', '2'),
  )
const controller = (library: string) =>
  definition(
    library,
    'Controller',
    'U',
    '(pin_names (offset 1.016))',
    '(rectangle (start -10.16 10.16) (end 10.16 -10.16) (stroke (width 0.254) (type default)) (fill (type background)))',
    [
      pin('power_in', '0 15.24 270', 5.08, 'VCC', '1'),
      pin('power_in', '0 -15.24 90', 5.08, 'GND', '2'),
      pin('input', '-15.24 5.08 0', 5.08, 'LIGHT', '3'),
      pin('output', '15.24 5.08 180', 5.08, 'LED', '4'),
      pin('bidirectional', '15.24 -5.08 180', 5.08, '~{RESET}', '5'),
    ].join(''),
  )
const power = (
  library: string,
  name: string,
) => `(symbol "${library}${name}" (power) (pin_numbers (hide yes)) (pin_names (offset 0) (hide yes)) (exclude_from_sim no) (in_bom yes) (on_board yes)
	${property('Reference', '#PWR', '0 -3.81 0', hidden)}
	${property('Value', name, '0 3.556 0')}
	${property('Footprint', '', '0 0 0', hidden)}
	${property('Datasheet', '', '0 0 0', hidden)}
	(symbol "${name}_0_1" ${name === 'GND' ? line('0 0', '0 -1.27', '1.27 -1.27', '0 -2.54', '-1.27 -1.27', '0 -1.27') : `${line('-0.762 1.27', '0 2.54', '0.762 1.27')} ${line('0 0', '0 2.54')}`})
	(symbol "${name}_1_1" ${pin('power_in', name === 'GND' ? '0 0 270' : '0 0 90', 0, name, '1')}))`

interface Place {
  readonly uuid?: string
  readonly x: number
  readonly y: number
  readonly angle?: number
  readonly reference: string
  readonly value?: string
  readonly path: string
}

function symbol(libId: string, { uuid = id(), x, y, angle = 0, reference, value, path }: Place): string {
  const name = libId.split(':')[1] ?? libId
  const isPower = reference.startsWith('#')
  const isUpright = name === 'R' || name === 'C'
  const [dx, dy] = isUpright ? [2.54, -1.27] : [0, -12.7]
  const aligned = isUpright ? font(' (justify left)') : font()
  const [valueX, valueY] = isPower
    ? [x, y + (name === 'GND' ? 3.81 : -3.81)]
    : [x + dx, isUpright ? y + 1.27 : y - 3.81]
  const isChip = name === 'Controller'
  const referenceAt = `${isChip ? x - 8.89 : x + dx} ${isUpright ? y + dy : y - (isChip ? 11.43 : 6.35)} 0`
  return `	(symbol (lib_id "${libId}") (at ${x} ${y} ${angle}) (unit 1) (exclude_from_sim no) (in_bom yes) (on_board yes) (dnp no) (uuid "${uuid}")
		${property('Reference', reference, referenceAt, isPower ? hidden : aligned)}
		${property('Value', value ?? name, isChip ? `${x + 6.35} ${y + 11.43} 0` : `${valueX} ${valueY} 0`, isPower ? font() : aligned)}
		${property('Footprint', '', `${x} ${y} 0`, hidden)}
		${property('Datasheet', '~', `${x} ${y} 0`, hidden)}
		(instances (project "lamp" (path "${path}" (reference "${reference}") (unit 1)))))`
}

const wire = (from: string, to: string) =>
  `	(wire (pts (xy ${from}) (xy ${to})) (stroke (width 0) (type default)) (uuid "${id()}"))`
const junction = (at: string) => `	(junction (at ${at}) (diameter 0) (color 0 0 0 0) (uuid "${id()}"))`
const label = (kind: string, text: string, at: string, shape = '', uuid = id()) =>
  `	(${kind} "${text}"${shape === '' ? '' : ` (shape ${shape})`} (at ${at}) (effects (font (size 1.27 1.27)) (justify ${at.endsWith('180') ? 'right' : 'left'}${kind === 'label' ? ' bottom' : ''})) (uuid "${uuid}"))`

function sheet(
  uuid: string,
  title: string,
  definitions: readonly string[],
  items: readonly string[],
  isRoot: boolean,
): string {
  return `(kicad_sch
	(version 20250114)
	(generator "eeschema")
	(generator_version "9.0")
	(uuid "${uuid}")
	(paper "A4")
	(title_block (title "${title}") (date "2026-03-01") (rev "2") (company "Night lamp"))
	(lib_symbols
${definitions.join('\n')}
	)
${items.join('\n')}
${isRoot ? '	(sheet_instances (path "/" (page "1")))\n' : ''})
`
}

const SENSOR_PATH = `${ROOT_PATH}/${SENSOR}`
const LIBRARY = 'lamp:'

const root = sheet(
  ROOT,
  'Lamp',
  [controller(LIBRARY), led(LIBRARY), resistor(LIBRARY), power(LIBRARY, 'GND'), power(LIBRARY, 'VCC')],
  [
    `	(text "Brightness is set by the\\ncontroller, 8 bits" (exclude_from_sim no) (at 152.4 50.8 0) (effects (font (size 1.27 1.27)) (justify left bottom)) (uuid "${id()}"))`,
    junction('180.34 88.9'),
    `	(no_connect (at 144.78 99.06) (uuid "${id()}"))`,
    wire('144.78 88.9', '160.02 88.9'),
    wire('160.02 88.9', '160.02 91.44'),
    wire('160.02 99.06', '160.02 106.68'),
    wire('167.64 106.68', '180.34 106.68'),
    wire('180.34 106.68', '180.34 88.9'),
    wire('180.34 88.9', '180.34 73.66'),
    wire('180.34 88.9', '193.04 88.9'),
    wire('129.54 78.74', '129.54 73.66'),
    wire('129.54 109.22', '129.54 114.3'),
    wire('96.52 88.9', '114.3 88.9'),
    label('label', 'DIM', '147.32 88.9 0', '', LED_LABEL),
    label('global_label', 'VLAMP', '193.04 88.9 0', 'input'),
    symbol('lamp:Controller', { x: 129.54, y: 93.98, reference: 'U1', path: ROOT_PATH }),
    symbol('lamp:R', { uuid: RESISTOR, x: 160.02, y: 95.25, reference: 'R1', value: '330', path: ROOT_PATH }),
    symbol('lamp:LED', { x: 163.83, y: 106.68, reference: 'D1', value: 'warm', path: ROOT_PATH }),
    symbol('lamp:VCC', { x: 129.54, y: 73.66, reference: '#PWR01', path: ROOT_PATH }),
    symbol('lamp:VCC', { x: 180.34, y: 73.66, reference: '#PWR02', path: ROOT_PATH }),
    symbol('lamp:GND', { x: 129.54, y: 114.3, reference: '#PWR03', path: ROOT_PATH }),
    `	(sheet (at 63.5 78.74) (size 33.02 20.32) (exclude_from_sim no) (in_bom yes) (on_board yes) (dnp no) (stroke (width 0.1524) (type solid)) (fill (color 0 0 0 0)) (uuid "${SENSOR}")
		(property "Sheetname" "sensor" (at 63.5 78.0284 0) (effects (font (size 1.27 1.27)) (justify left bottom)))
		(property "Sheetfile" "sensor.kicad_sch" (at 63.5 99.6446 0) (effects (font (size 1.27 1.27)) (justify left top)))
		(pin "LIGHT" output (at 96.52 88.9 0) (effects (font (size 1.27 1.27)) (justify right)) (uuid "${id()}"))
		(instances (project "lamp" (path "${ROOT_PATH}" (page "2")))))`,
  ],
  true,
)

const sensor = sheet(
  id(),
  'Sensor',
  [capacitor(LIBRARY), resistor(LIBRARY), power(LIBRARY, 'GND'), power(LIBRARY, 'VCC')],
  [
    junction('127 88.9'),
    wire('127 83.82', '127 88.9'),
    wire('127 88.9', '127 93.98'),
    wire('127 88.9', '149.86 88.9'),
    wire('127 101.6', '127 106.68'),
    wire('127 71.12', '127 76.2'),
    label('hierarchical_label', 'LIGHT', '149.86 88.9 0', 'output'),
    symbol('lamp:R', { x: 127, y: 80.01, reference: 'R2', value: 'LDR', path: SENSOR_PATH }),
    symbol('lamp:C', { x: 127, y: 97.79, reference: 'C1', value: '100n', path: SENSOR_PATH }),
    symbol('lamp:VCC', { x: 127, y: 71.12, reference: '#PWR04', path: SENSOR_PATH }),
    symbol('lamp:GND', { x: 127, y: 106.68, reference: '#PWR05', path: SENSOR_PATH }),
  ],
  false,
)

const library = `(kicad_symbol_lib (version 20241209) (generator "kicad_symbol_editor") (generator_version "9.0")
${[capacitor(''), led(''), resistor(''), power('', 'GND'), power('', 'VCC')].join('\n')})
`

export const LAMP: Readonly<Record<string, string>> = {
  'lamp.kicad_sch': root,
  'sensor.kicad_sch': sensor,
  'lamp.kicad_pro': `${JSON.stringify({ meta: { filename: 'lamp.kicad_pro', version: 1 }, schematic: { drawing: { label_size_ratio: 0.25 } } })}\n`,
  'lib/parts.kicad_sym': library,
}
