import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

export interface LibraryPackage {
  readonly identifier: string
  readonly version: string
  readonly type?: string
  /** In the archive. */
  readonly files: Readonly<Record<string, string | Uint8Array>>
}

export async function archiveOf({ identifier, version, type = 'library', files }: LibraryPackage) {
  const contact = { web: 'https://ada.example' }
  const metadata = {
    name: identifier,
    description: 'Of a test',
    description_full: 'Of a test.',
    identifier,
    type,
    author: { name: 'Ada', contact },
    license: 'MIT',
    resources: {},
    versions: [{ version, status: 'stable', tool_version: '9.0' }],
  }
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from(JSON.stringify(metadata)), 'metadata.json')
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path)
  zip.end()
  return await buffer(zip.outputStream as AsyncIterable<Uint8Array>)
}

/** A library with a symbol, its footprint, and the model of that. */
export function lampFiles({ library = 'Lamps', folder = 'com_example_lamps' } = {}) {
  const property = (name: string, value: string) =>
    `(property "${name}" "${value}" (at 0 0 0) (effects (font (size 1.27 1.27))))`
  return {
    [`symbols/${library}.kicad_sym`]: `(kicad_symbol_lib (version 20231120) (generator "patchbay") (generator_version "9.0")
  (symbol "Lamp" (pin_names (offset 0)) (exclude_from_sim no) (in_bom yes) (on_board yes)
    ${property('Reference', 'LA')} ${property('Value', 'Lamp')} ${property('Footprint', `PCM_${library}:Lamp`)}
    (symbol "Lamp_1_1" (rectangle (start -1.27 1.27) (end 1.27 -1.27) (stroke (width 0) (type default)) (fill (type none)))
      (pin passive line (at -3.81 0 0) (length 2.54) (name "A" (effects (font (size 1.27 1.27))))
        (number "1" (effects (font (size 1.27 1.27)))))
      (pin passive line (at 3.81 0 180) (length 2.54) (name "B" (effects (font (size 1.27 1.27))))
        (number "2" (effects (font (size 1.27 1.27))))))))
`,
    [`footprints/${library}.pretty/Lamp.kicad_mod`]: footprint(library, folder),
    [`3dmodels/${library}.3dshapes/Lamp.wrl`]: MODEL,
  }
}

export const footprint = (
  library: string,
  folder: string,
  at = '',
) => `(footprint "${at === '' ? '' : `PCM_${library}:`}Lamp"
  ${at === '' ? '(version 20240108) (generator "patchbay")' : ''} (layer "F.Cu") ${at}
  (property "Reference" "LA1" (at 0 2 0) (layer "F.SilkS") (effects (font (size 1 1) (thickness 0.15))))
  (property "Value" "Lamp" (at 0 -2 0) (layer "F.Fab") (effects (font (size 1 1) (thickness 0.15))))
  (pad "1" smd rect (at -1 0) (size 1 1) (layers "F.Cu" "F.Mask" "F.Paste"))
  (pad "2" smd rect (at 1 0) (size 1 1) (layers "F.Cu" "F.Mask" "F.Paste"))
  (model "\${KICAD9_3RD_PARTY}/3dmodels/${folder}/${library}.3dshapes/Lamp.wrl"
    (offset (xyz 0 0 0)) (scale (xyz 1 1 1)) (rotate (xyz 0 0 0))))
`

/** A box of 2 by 1 by 1 millimeters; the unit of these files is a tenth of an inch. */
const MODEL = `#VRML V2.0 utf8
Shape { appearance Appearance { material Material { diffuseColor 1 0.2 0.1 } }
  geometry IndexedFaceSet { coord Coordinate { point [
    -0.39 -0.2 0, 0.39 -0.2 0, 0.39 0.2 0, -0.39 0.2 0, -0.39 -0.2 0.39, 0.39 -0.2 0.39, 0.39 0.2 0.39, -0.39 0.2 0.39 ] }
    coordIndex [ 0 3 2 1 -1 4 5 6 7 -1 0 1 5 4 -1 1 2 6 5 -1 2 3 7 6 -1 3 0 4 7 -1 ] } }
`
