import { KICAD_LIMITS } from '../limits.ts'
import type { BusAlias, PlacedSymbol, Schematic, SheetBox } from '../schematic/items.ts'
import { readSchematic } from '../schematic/read.ts'
import type { Document } from '../tree/node.ts'

/** A file in one place of the hierarchy: one that is used twice is two of these. */
export interface DesignSheet {
  /** The ids of the root and of the sheets down to here: `/…/…`. */
  readonly path: string
  /** For people: `/` for the root, `/amplifier/` for a sheet in it. */
  readonly name: string
  readonly file: string
  readonly schematic: Schematic
  /** The sheets in it, by the id of their box. */
  readonly children: ReadonlyMap<SheetBox, DesignSheet>
}

export const DESIGN_FAULTS = {
  missing_file: 'The file of this sheet is not there',
  not_a_schematic: 'The file of this sheet is not a schematic',
  cyclic: 'This sheet contains itself',
  too_deep: 'Sheets are nested too deeply',
  too_many_sheets: 'The design has too many sheets',
} as const

export interface DesignFault {
  readonly code: keyof typeof DESIGN_FAULTS
  readonly message: string
  /** Of the sheet whose file it is. */
  readonly name: string
  readonly file: string
}

export interface Design {
  /** The root first, each before those in it. */
  readonly sheets: readonly DesignSheet[]
  /** Those of any sheet hold in all. */
  readonly busAliases: readonly BusAlias[]
  /** Sheets that are left out, and why. */
  readonly faults: readonly DesignFault[]
}

interface OpenSheet extends DesignSheet {
  readonly children: Map<SheetBox, DesignSheet>
  readonly parent: OpenSheet | undefined
  readonly depth: number
}

/** All sheets below a file. `files` has names as seen from one folder, with `/`. */
export function readDesign(files: ReadonlyMap<string, Document>, root: string): Design {
  const sheets: OpenSheet[] = []
  const faults: DesignFault[] = []
  const report = (code: DesignFault['code'], name: string, file: string) =>
    faults.push({ code, message: DESIGN_FAULTS[code], name, file })

  const open = (file: string, name: string, parent: OpenSheet | undefined, box: SheetBox | undefined) => {
    const document = files.get(file)
    if (document === undefined) return report('missing_file', name, file)
    const schematic = readSchematic(document)
    if (schematic === undefined) return report('not_a_schematic', name, file)
    for (let above = parent; above !== undefined; above = above.parent)
      if (above.file === file) return report('cyclic', name, file)
    const depth = (parent?.depth ?? 0) + 1
    if (depth > KICAD_LIMITS.sheetDepth) return report('too_deep', name, file)
    const path = `${parent?.path ?? ''}/${box?.id ?? schematic.id}`
    const sheet: OpenSheet = { path, name, file, schematic, children: new Map(), parent, depth }
    sheets.push(sheet)
    if (parent !== undefined && box !== undefined) parent.children.set(box, sheet)
    return undefined
  }

  open(root, '/', undefined, undefined)
  for (const sheet of sheets)
    for (const box of sheet.schematic.items) {
      if (box.kind !== 'sheet') continue
      if (sheets.length >= KICAD_LIMITS.sheets) {
        report('too_many_sheets', sheet.name, sheet.file)
        return closeDesign(sheets, faults)
      }
      open(resolve(sheet.file, box.file), `${sheet.name}${box.name}/`, sheet, box)
    }
  return closeDesign(sheets, faults)
}

function closeDesign(sheets: readonly DesignSheet[], faults: readonly DesignFault[]): Design {
  const schematics = new Set(sheets.map(({ schematic }) => schematic))
  return { sheets, faults, busAliases: [...schematics].flatMap(({ busAliases }) => busAliases) }
}

/** Names of files are relative to the file that they stand in. */
function resolve(from: string, name: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const part of name.replaceAll('\\', '/').split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** What a symbol is called in one place of the hierarchy, and which of its units it is there. */
export function referenceOf(
  { sheets }: Design,
  sheet: DesignSheet,
  symbol: PlacedSymbol,
): { readonly reference: string; readonly unit: number } {
  const own = symbol.instances.find(({ path }) => path === sheet.path)
  if (own !== undefined) return own
  // KiCad 6 has those of all sheets in the root, without the id of the root.
  const below = sheet.path.split('/').slice(2)
  const old = instancesOf(sheets[0]?.schematic)?.get(`/${[...below, symbol.id].join('/')}`)
  if (old !== undefined) return old
  return {
    reference: symbol.properties.find(({ name }) => name === 'Reference')?.value ?? '',
    unit: symbol.unit,
  }
}

type Instances = ReadonlyMap<string, { readonly reference: string; readonly unit: number }>
const instances = new WeakMap<Schematic, Instances>()

function instancesOf(root: Schematic | undefined): Instances | undefined {
  if (root === undefined) return undefined
  let found = instances.get(root)
  if (found === undefined) {
    found = new Map(root.symbolInstances.map((one) => [one.path, one]))
    instances.set(root, found)
  }
  return found
}
