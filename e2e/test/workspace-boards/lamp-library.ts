import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LAMP_SYMBOL, lampFiles } from '@patchbay/boards/test/lamp-library'
import { EMPTY_SHEET } from './sheets.ts'

export const LAMPS = 'com.example.lamps'

const property = (name: string, value: string) =>
  `(property "${name}" "${value}" (at 0 0 0) (effects (font (size 1.27 1.27))))`

/** A sheet with one lamp of the library, as KiCad writes it. */
export const LAMP_SHEET = EMPTY_SHEET.replace(
  '(lib_symbols)',
  `(lib_symbols ${LAMP_SYMBOL.replace('"Lamp"', '"PCM_Lamps:Lamp"')})
  (symbol (lib_id "PCM_Lamps:Lamp") (at 101.6 76.2 0) (unit 1) (exclude_from_sim no) (in_bom yes) (on_board yes) (dnp no)
    (uuid "33333333-3333-4333-8333-333333333333") ${property('Reference', 'LA1')} ${property('Value', 'Lamp')}
    ${property('Footprint', 'PCM_Lamps:Lamp')} ${property('Datasheet', '')} ${property('Description', 'A lamp of the night')}
    (instances (project "a" (path "/5b9623a5-6d01-41fc-9865-e1bc779418c8" (reference "LA1") (unit 1)))))`,
)

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
