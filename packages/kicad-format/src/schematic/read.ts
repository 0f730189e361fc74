import { type Document, isList, type List } from '../tree/node.ts'
import { angleOf, childOf, childrenOf, hasFlag, numberOf, pointOf, textIn, valuesOf } from '../tree/value.ts'
import type {
  BusAlias,
  Label,
  Line,
  Mark,
  PlacedSymbol,
  Schematic,
  SchematicItem,
  SheetBox,
  SheetInstance,
  SheetPin,
  SymbolInstance,
  Text,
  TitleBlock,
} from './items.ts'
import { readLibrarySymbol, readProperties } from './library.ts'

/** What a file says about itself and is no item. */
const FRAME = new Set([
  'version',
  'generator',
  'generator_version',
  'uuid',
  'paper',
  'title_block',
  'lib_symbols',
  'bus_alias',
  'sheet_instances',
  'symbol_instances',
  'embedded_fonts',
])

const schematics = new WeakMap<List, Schematic>()

/**
 * What stands in a `.kicad_sch` file; `undefined` for any other file. What an edit has not touched is read once and then
 * the same object, so that reading again after each edit costs little.
 */
export function readSchematic({ roots }: Document): Schematic | undefined {
  const root = roots[0]
  if (!isList(root, 'kicad_sch')) return undefined
  const found = schematics.get(root)
  if (found !== undefined) return found
  const [paper = '', ...paperRest] = valuesOf(childOf(root, 'paper'))
  const items: SchematicItem[] = []
  const unknown: List[] = []
  for (const child of root.children) {
    if (child.kind === 'atom' || FRAME.has(child.head)) continue
    const item = readItem(child)
    if (item === undefined) unknown.push(child)
    else items.push(item)
  }
  const schematic: Schematic = {
    version: numberOf(textIn(root, 'version')) ?? 0,
    generator: textIn(root, 'generator') ?? '',
    id: textIn(root, 'uuid') ?? '',
    paper,
    paperSize: paper === 'User' ? pointOf(childOf(root, 'paper'), 1) : undefined,
    isPortrait: paperRest.includes('portrait'),
    titleBlock: readTitleBlock(childOf(root, 'title_block')),
    library: childrenOf(childOf(root, 'lib_symbols'), 'symbol').flatMap(
      (one) => readLibrarySymbol(one) ?? [],
    ),
    busAliases: childrenOf(root, 'bus_alias').map(readBusAlias),
    items,
    unknown,
    symbolInstances: childrenOf(childOf(root, 'symbol_instances'), 'path').map((node) => ({
      ...readSymbolInstance(node, ''),
      node,
    })),
  }
  schematics.set(root, schematic)
  return schematic
}

function readTitleBlock(node: List | undefined): TitleBlock {
  return {
    title: textIn(node, 'title') ?? '',
    date: textIn(node, 'date') ?? '',
    revision: textIn(node, 'rev') ?? '',
    company: textIn(node, 'company') ?? '',
    comments: Object.fromEntries(
      childrenOf(node, 'comment').map((one) => {
        const [number = '', text = ''] = valuesOf(one)
        return [number, text]
      }),
    ),
  }
}

function readBusAlias(node: List): BusAlias {
  return { name: valuesOf(node)[0] ?? '', members: valuesOf(childOf(node, 'members')) }
}

const READERS: Readonly<Record<string, (node: List) => SchematicItem | undefined>> = {
  symbol: readSymbol,
  wire: (node) => readLine(node, 'wire'),
  bus: (node) => readLine(node, 'bus'),
  bus_entry: readBusEntry,
  junction: (node) => readMark(node, 'junction'),
  no_connect: (node) => readMark(node, 'no_connect'),
  label: (node) => readLabel(node, 'label'),
  global_label: (node) => readLabel(node, 'global_label'),
  hierarchical_label: (node) => readLabel(node, 'hierarchical_label'),
  text: (node) => readText(node, 'text'),
  text_box: (node) => readText(node, 'text_box'),
  sheet: readSheetBox,
}

const items = new WeakMap<List, SchematicItem>()

/** `undefined` for what is unknown, or lacks something. */
export function readItem(node: List): SchematicItem | undefined {
  const found = items.get(node)
  if (found !== undefined) return found
  const item = Object.hasOwn(READERS, node.head) ? READERS[node.head]?.(node) : undefined
  if (item !== undefined) items.set(node, item)
  return item
}

const idOf = (node: List) => textIn(node, 'uuid') ?? ''

function readSymbol(node: List): PlacedSymbol | undefined {
  const libId = textIn(node, 'lib_id')
  const place = childOf(node, 'at')
  const at = pointOf(place)
  if (libId === undefined || at === undefined) return undefined
  const mirror = textIn(node, 'mirror')
  return {
    kind: 'symbol',
    id: idOf(node),
    libId,
    libName: textIn(node, 'lib_name') ?? libId,
    at,
    angle: angleOf(place),
    mirror: mirror === 'x' || mirror === 'y' ? mirror : undefined,
    unit: numberOf(textIn(node, 'unit')) ?? 1,
    bodyStyle: numberOf(textIn(node, 'body_style') ?? textIn(node, 'convert')) ?? 1,
    isInBom: hasFlag(node, 'in_bom'),
    isOnBoard: hasFlag(node, 'on_board'),
    isFitted: !hasFlag(node, 'dnp'),
    properties: readProperties(node),
    pins: childrenOf(node, 'pin').map((pin) => ({
      number: valuesOf(pin)[0] ?? '',
      id: idOf(pin),
      alternate: textIn(pin, 'alternate'),
    })),
    instances: instancesOf(node, readSymbolInstance),
    node,
  }
}

function instancesOf<One>(node: List, read: (path: List, project: string) => One): One[] {
  return childrenOf(childOf(node, 'instances'), 'project').flatMap((project) =>
    childrenOf(project, 'path').map((path) => read(path, valuesOf(project)[0] ?? '')),
  )
}

function readSymbolInstance(node: List, project: string): SymbolInstance {
  return {
    project,
    path: valuesOf(node)[0] ?? '',
    reference: textIn(node, 'reference') ?? '',
    unit: numberOf(textIn(node, 'unit')) ?? 1,
  }
}

function readSheetInstance(node: List, project: string): SheetInstance {
  return { project, path: valuesOf(node)[0] ?? '', page: textIn(node, 'page') ?? '' }
}

function readLine(node: List, kind: Line['kind']): Line | undefined {
  const [from, to, ...others] = childrenOf(childOf(node, 'pts'), 'xy').map((point) => pointOf(point))
  if (from === undefined || to === undefined || others.length > 0) return undefined
  return { kind, id: idOf(node), from, to, node }
}

function readBusEntry(node: List): SchematicItem | undefined {
  const [at, size] = [pointOf(childOf(node, 'at')), pointOf(childOf(node, 'size'))]
  if (at === undefined || size === undefined) return undefined
  return { kind: 'bus_entry', id: idOf(node), at, size, node }
}

function readMark(node: List, kind: Mark['kind']): Mark | undefined {
  const at = pointOf(childOf(node, 'at'))
  return at === undefined ? undefined : { kind, id: idOf(node), at, node }
}

function readLabel(node: List, kind: Label['kind']): Label | undefined {
  const place = childOf(node, 'at')
  const at = pointOf(place)
  const [text] = valuesOf(node)
  if (at === undefined || text === undefined) return undefined
  return { kind, id: idOf(node), text, at, angle: angleOf(place), shape: textIn(node, 'shape') ?? '', node }
}

function readText(node: List, kind: Text['kind']): Text | undefined {
  const place = childOf(node, 'at')
  const at = pointOf(place)
  const [text] = valuesOf(node)
  if (at === undefined || text === undefined) return undefined
  return { kind, id: idOf(node), text, at, angle: angleOf(place), node }
}

function readSheetBox(node: List): SheetBox | undefined {
  const [at, size] = [pointOf(childOf(node, 'at')), pointOf(childOf(node, 'size'))]
  if (at === undefined || size === undefined) return undefined
  const properties = readProperties(node)
  const named = (...names: readonly string[]) => properties.find(({ name }) => names.includes(name))
  // KiCad 6 wrote these names in the language of whoever saved, but always in this order.
  const name = named('Sheetname', 'Sheet name') ?? properties[0]
  const file = named('Sheetfile', 'Sheet file') ?? properties[1]
  return {
    kind: 'sheet',
    id: idOf(node),
    at,
    size,
    name: name?.value ?? '',
    file: file?.value ?? '',
    properties,
    pins: childrenOf(node, 'pin').flatMap((pin) => readSheetPin(pin) ?? []),
    instances: instancesOf(node, readSheetInstance),
    node,
  }
}

function readSheetPin(node: List): SheetPin | undefined {
  const [name, shape = ''] = valuesOf(node)
  const place = childOf(node, 'at')
  const at = pointOf(place)
  if (name === undefined || at === undefined) return undefined
  return { kind: 'sheet_pin', id: idOf(node), name, shape, at, angle: angleOf(place), node }
}
