const property = (name: string, value: string, at = '(at 0 0 0)') =>
  `(property "${name}" "${value}" ${at} (effects (font (size 1.27 1.27))))`
const pin = (number: string, x: number, angle: number) =>
  `(pin passive line (at ${x} 0 ${angle}) (length 2.54) (name "${number}" (effects (font (size 1.27 1.27))))
        (number "${number}" (effects (font (size 1.27 1.27)))))`

const symbol = (library: string) => `(symbol "Lamp" (exclude_from_sim no) (in_bom yes) (on_board yes)
    ${property('Reference', 'LA')} ${property('Value', 'Lamp')} ${property('Footprint', `PCM_${library}:Lamp`)}
    ${property('Datasheet', '')} ${property('Description', 'A lamp of the night')}
    (symbol "Lamp_1_1" (rectangle (start -1.27 1.27) (end 1.27 -1.27) (stroke (width 0) (type default)) (fill (type none)))
    ${pin('1', -3.81, 0)} ${pin('2', 3.81, 180)}) (embedded_fonts no))`

/** `series`: the version of KiCad whose variable it names. */
const footprint = (id: string, series: number, placed = '') => `(footprint "${id}" ${placed} (layer "F.Cu")
  (property "Reference" "LA1" (at 0 2 0) (layer "F.SilkS") (effects (font (size 1 1) (thickness 0.15))))
  (property "Value" "Lamp" (at 0 -2 0) (layer "F.Fab") (effects (font (size 1 1) (thickness 0.15))))
  (attr smd)
  (pad "1" smd rect (at -1 0) (size 1 1) (layers "F.Cu" "F.Mask" "F.Paste"))
  (pad "2" smd rect (at 1 0) (size 1 1) (layers "F.Cu" "F.Mask" "F.Paste"))
  (embedded_fonts no)
  (model "\${KICAD${series}_3RD_PARTY}/3dmodels/com_example_lamps/Lamps.3dshapes/Lamp.step"
    (offset (xyz 0 0 0)) (scale (xyz 1 1 1)) (rotate (xyz 0 0 0))))
`

export const LAMP_SYMBOL = symbol('Lamps')

/** A library with a symbol, its footprint, and the model of that. */
export const lampFiles = (model: string | Uint8Array = 'a model') => ({
  'symbols/Lamps.kicad_sym': `(kicad_symbol_lib (version 20241209) (generator "patchbay") (generator_version "9.0")
  ${LAMP_SYMBOL})
`,
  'footprints/Lamps.pretty/Lamp.kicad_mod': footprint(
    'Lamp',
    9,
    '(version 20241229) (generator "patchbay") (generator_version "9.0")',
  ),
  '3dmodels/Lamps.3dshapes/Lamp.step': model,
})

/** A board of this size in millimeters, with or without a lamp. */
export const boardOf = (width: number, lamp?: { readonly series: number }) => `(kicad_pcb (version 20241229)
  (generator "patchbay") (generator_version "9.0") (general (thickness 1.6)) (paper "A4")
  (layers (0 "F.Cu" signal) (2 "B.Cu" signal) (25 "Edge.Cuts" user) (5 "F.SilkS" user) (1 "F.Mask" user)
    (13 "F.Paste" user) (35 "F.Fab" user))
  (gr_rect (start 0 0) (end ${width} ${width / 2}) (stroke (width 0.05) (type default)) (fill no) (layer "Edge.Cuts")
    (uuid "11111111-1111-4111-8111-111111111111"))
  ${lamp === undefined ? '' : footprint('PCM_Lamps:Lamp', lamp.series, '(uuid "22222222-2222-4222-8222-222222222222") (at 10 5)')})
`
