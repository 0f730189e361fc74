import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EMPTY_SHEET } from './sheets.ts'

export const LAMPS = 'com.example.lamps'

const property = (name: string, value: string) =>
  `(property "${name}" "${value}" (at 0 0 0) (effects (font (size 1.27 1.27))))`
const pin = (number: string, x: number, angle: number) =>
  `(pin passive line (at ${x} 0 ${angle}) (length 2.54) (name "${number}") (number "${number}"))`

export const LAMP_SYMBOL = `(symbol "Lamp" (exclude_from_sim no) (in_bom yes) (on_board yes)
  ${property('Reference', 'LA')} ${property('Value', 'Lamp')} ${property('Footprint', 'PCM_Lamps:Lamp')}
  ${property('Datasheet', '')} ${property('Description', 'A lamp of the night')}
  (symbol "Lamp_1_1" (rectangle (start -1.27 1.27) (end 1.27 -1.27) (stroke (width 0) (type default)) (fill (type none)))
    ${pin('1', -3.81, 0)} ${pin('2', 3.81, 180)}) (embedded_fonts no))`

const footprint = (id: string, placed: string) => `(footprint "${id}" ${placed} (layer "F.Cu")
  (property "Reference" "LA1" (at 0 2 0) (layer "F.SilkS") (effects (font (size 1 1) (thickness 0.15))))
  (property "Value" "Lamp" (at 0 -2 0) (layer "F.Fab") (effects (font (size 1 1) (thickness 0.15))))
  (attr smd)
  (pad "1" smd rect (at -1 0) (size 1 1) (layers "F.Cu" "F.Mask" "F.Paste"))
  (pad "2" smd rect (at 1 0) (size 1 1) (layers "F.Cu" "F.Mask" "F.Paste"))
  (embedded_fonts no)
  (model "\${KICAD9_3RD_PARTY}/3dmodels/com_example_lamps/Lamps.3dshapes/Lamp.step"
    (offset (xyz 0 0 0)) (scale (xyz 1 1 1)) (rotate (xyz 0 0 0))))
`

/** A board of this size in millimeters, with or without a lamp. */
export const boardOf = (
  width: number,
  hasLamp: boolean,
) => `(kicad_pcb (version 20241229) (generator "patchbay")
  (generator_version "9.0") (general (thickness 1.6)) (paper "A4")
  (layers (0 "F.Cu" signal) (2 "B.Cu" signal) (25 "Edge.Cuts" user) (5 "F.SilkS" user) (1 "F.Mask" user)
    (13 "F.Paste" user) (35 "F.Fab" user))
  (gr_rect (start 0 0) (end ${width} ${width / 2}) (stroke (width 0.05) (type default)) (fill no) (layer "Edge.Cuts")
    (uuid "11111111-1111-4111-8111-111111111111"))
  ${hasLamp ? footprint('PCM_Lamps:Lamp', '(uuid "22222222-2222-4222-8222-222222222222") (at 10 5)') : ''})
`

/** A sheet with one lamp of the library, as KiCad writes it. */
export const LAMP_SHEET = EMPTY_SHEET.replace(
  '(lib_symbols)',
  `(lib_symbols ${LAMP_SYMBOL.replace('"Lamp"', '"PCM_Lamps:Lamp"')})
  (symbol (lib_id "PCM_Lamps:Lamp") (at 101.6 76.2 0) (unit 1) (exclude_from_sim no) (in_bom yes) (on_board yes) (dnp no)
    (uuid "33333333-3333-4333-8333-333333333333") ${property('Reference', 'LA1')} ${property('Value', 'Lamp')}
    ${property('Footprint', 'PCM_Lamps:Lamp')} ${property('Datasheet', '')} ${property('Description', 'A lamp of the night')}
    (instances (project "a" (path "/5b9623a5-6d01-41fc-9865-e1bc779418c8" (reference "LA1") (unit 1)))))`,
)

const LIBRARY = '(version 20241209) (generator "patchbay") (generator_version "9.0")'

/** A symbol, its footprint, and the model of that, as they are in an archive. */
export const lampFiles = (model: string | Uint8Array) => ({
  'symbols/Lamps.kicad_sym': `(kicad_symbol_lib ${LIBRARY} ${LAMP_SYMBOL})\n`,
  'footprints/Lamps.pretty/Lamp.kicad_mod': footprint('Lamp', LIBRARY.replace('20241209', '20241229')),
  '3dmodels/Lamps.3dshapes/Lamp.step': model,
})

/** What its metadata says of itself, besides identifier and version. */
export const LAMP_FIELDS = {
  name: 'Lamps',
  description: 'Lamps of the night',
  description_full: 'Symbols, footprints and models of lamps.',
  type: 'library',
  author: { name: 'Ada', contact: { web: 'https://ada.example' } },
  license: 'MIT',
  resources: {},
}

/** The folder of the package. */
export async function writeLamps(
  folder: string,
  { version, model }: { readonly version: string; readonly model: string | Uint8Array },
): Promise<void> {
  const versions = [{ version, status: 'stable', tool_version: '9.0' }]
  const metadata = { ...LAMP_FIELDS, identifier: LAMPS, versions }
  for (const [path, content] of Object.entries({
    'metadata.json': JSON.stringify(metadata),
    ...lampFiles(model),
  })) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}
