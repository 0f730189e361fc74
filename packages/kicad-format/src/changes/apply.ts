import { KICAD_LIMITS } from '../limits.ts'
import { quarterTurn, reflection } from '../schematic/geometry.ts'
import type { LibrarySymbol } from '../schematic/items.ts'
import { readLibrarySymbol, unitsOf } from '../schematic/library.ts'
import { readItem, readSchematic } from '../schematic/read.ts'
import { insertChild, keepChildren, replaceChild, withRoot } from '../tree/edit.ts'
import { createAtom, createList, type Document, isList, type List } from '../tree/node.ts'
import { parse } from '../tree/parse.ts'
import { formatList, lineStart, type Style, styleOf, VERSION_7 } from '../tree/style.ts'
import { childOf, type Point, pointOf, quote, textIn, valueOf, valuesOf } from '../tree/value.ts'
import {
  buildBusEntry,
  buildLabel,
  buildLine,
  buildMark,
  buildProperty,
  buildSheet,
  buildSheetEntry,
  buildSheetPin,
  buildSymbol,
  buildSymbolEntry,
  buildText,
  list,
} from './build.ts'
import type { LineEnd, SchematicChange } from './change.ts'
import { checkAngle, checkNewIds, checkPlaces, checkReference, checkText } from './checks.ts'
import { appendTo, insertDefinition, insertItem } from './insert.ts'
import { mapChild, mapChildren, mapPlaces, turnItem, withPoint } from './places.ts'
import { type Outcome, type RefusalCode, Refused } from './refusal.ts'

type Change<Kind extends SchematicChange['type']> = Extract<SchematicChange, { type: Kind }>

/**
 * Makes one change, or says why not. The document that is given stays as it is, and shares with the new one all that was
 * not touched: to undo is to go back to it, byte for byte. A change that changes nothing gives the very same document.
 */
export function applyChange(document: Document, change: SchematicChange): Outcome {
  const root = document.roots[0]
  try {
    if (root === undefined || readSchematic(document) === undefined) throw new Refused('not_a_schematic')
    return { document: withRoot(document, changed(root, change, styleOf(document))) }
  } catch (error) {
    if (error instanceof Refused) return { refused: error.refusal }
    throw error
  }
}

function changed(root: List, change: SchematicChange, style: Style): List {
  switch (change.type) {
    case 'move':
      return move(root, change)
    case 'rotate':
      checkPlaces(change.about)
      return mapItems(root, change.ids, (item) =>
        turnItem(item, change.about, quarterTurn(change.turns * 90)),
      )
    case 'mirror':
      checkPlaces(change.about)
      return mapItems(root, change.ids, (item) => turnItem(item, change.about, reflection(change.axis)))
    case 'delete':
      return remove(root, change.ids)
    case 'addLine':
      checkPlaces(change.from, change.to)
      if (change.from.x === change.to.x && change.from.y === change.to.y) throw new Refused('no_length')
      return add(root, [change.id], buildLine(change, style), style)
    case 'addBusEntry':
      checkPlaces(change.at, change.size)
      if (change.size.x === 0 && change.size.y === 0) throw new Refused('no_length')
      return add(root, [change.id], buildBusEntry(change, style), style)
    case 'addMark':
      checkPlaces(change.at)
      return add(root, [change.id], buildMark(change, style), style)
    case 'addLabel':
      checkLabel(change)
      return add(root, [change.id], buildLabel(change, style), style)
    case 'addText':
      checkPlaces(change.at)
      checkAngle(change.angle)
      checkText(change.text)
      return add(root, [change.id], buildText(change, style), style)
    case 'addSymbol':
      return addSymbol(root, change, style)
    case 'addSheet':
      return addSheet(root, change, style)
    case 'addSheetPin':
      return addSheetPin(root, change, style)
    case 'setProperty':
      return mapItems(root, [change.id], (item) => setProperty(item, change, style))
    case 'setText':
      checkText(change.text)
      return mapItems(root, [change.id], (item) => setText(item, change))
    case 'annotate':
      return annotate(root, change, style)
    default:
      // Only a caller that did not check what it was sent comes here. Going on without the change would hide that.
      change satisfies never
      throw new TypeError('not a change of a known kind')
  }
}

const indexes = new WeakMap<List, ReadonlyMap<string, number>>()

/** Where the items of a sheet are among its children, by id. */
function indexOf(root: List): ReadonlyMap<string, number> {
  let found = indexes.get(root)
  if (found === undefined) {
    const places = root.children.flatMap((child, at): [string, number][] => {
      const id = child.kind === 'list' ? (readItem(child)?.id ?? textIn(child, 'uuid')) : undefined
      return id === undefined || id === '' ? [] : [[id, at]]
    })
    found = new Map(places)
    indexes.set(root, found)
  }
  return found
}

function mapItems(root: List, ids: readonly string[], change: (item: List) => List): List {
  if (ids.length > KICAD_LIMITS.items) throw new Refused('too_many_items')
  const index = indexOf(root)
  const children = [...root.children]
  let isChanged = false
  for (const id of new Set(ids)) {
    const at = index.get(id)
    const item = at === undefined ? undefined : root.children[at]
    if (at === undefined || !isList(item)) throw new Refused('no_such_item', id)
    children[at] = change(item)
    isChanged ||= children[at] !== item
  }
  return isChanged ? createList(children, root.gaps) : root
}

const plus = (one: Point, other: Point): Point => ({ x: one.x + other.x, y: one.y + other.y })

function move(root: List, { ids, by, ends = [] }: Change<'move'>): List {
  checkPlaces(by)
  const whole = new Set(ids)
  const moved = mapItems(root, ids, (item) => mapPlaces(item, (place) => plus(place, by)))
  // Of a line that moves as a whole no end is left behind.
  const dragged = ends.filter(({ id }) => !whole.has(id))
  return dragged.reduce((before, end) => mapItems(before, [end.id], (item) => moveEnd(item, end, by)), moved)
}

function moveEnd(item: List, { id, end }: LineEnd, by: Point): List {
  if (item.head !== 'wire' && item.head !== 'bus') throw new Refused('not_for_this', id)
  return mapChild(item, 'pts', (points) => {
    const at = end === 'from' ? 1 : points.children.length - 1
    const corner = points.children[at]
    const place = isList(corner) ? pointOf(corner) : undefined
    if (!isList(corner) || place === undefined) throw new Refused('not_for_this', id)
    return replaceChild(points, at, withPoint(corner, plus(place, by)))
  })
}

/** With what the root of KiCad 6 says of the items, and pins of a sheet as well. */
function remove(root: List, ids: readonly string[]): List {
  if (ids.length > KICAD_LIMITS.items) throw new Refused('too_many_items')
  const gone = new Set(ids)
  const left = new Set(ids)
  const isGone = (child: List) => {
    const id = textIn(child, 'uuid')
    if (id === undefined || !gone.has(id)) return false
    left.delete(id)
    return true
  }
  // Items alone: the id of the sheet itself is no item.
  let rest = keepChildren(root, (child) => child.kind === 'atom' || !isGone(child))
  rest = mapChildren(rest, 'sheet', (sheet) =>
    keepChildren(sheet, (child) => !isList(child, 'pin') || !isGone(child)),
  )
  const [missing] = left
  if (missing !== undefined) throw new Refused('no_such_item', missing)
  for (const head of ['sheet_instances', 'symbol_instances'])
    rest = mapChild(rest, head, (entries) =>
      keepChildren(entries, (entry) => {
        const [path = ''] = isList(entry, 'path') ? valuesOf(entry) : []
        return !path.split('/').some((id) => gone.has(id))
      }),
    )
  return rest
}

function add(root: List, ids: readonly string[], item: List, style: Style): List {
  checkNewIds(root, ids)
  return insertItem(root, item, style)
}

const SHAPES = ['input', 'output', 'bidirectional', 'tri_state', 'passive']

function checkShape(shape: string | undefined): void {
  if (shape !== undefined && !SHAPES.includes(shape)) throw new Refused('bad_text')
}

function checkLabel({ kind, at, angle, text, shape }: Change<'addLabel'>): void {
  checkPlaces(at)
  checkAngle(angle)
  checkText(text)
  checkShape(shape)
  if (kind === 'label' && shape !== undefined) throw new Refused('not_for_this')
}

function addSymbol(root: List, change: Change<'addSymbol'>, style: Style): List {
  const { id, libId, at, angle, value, footprint, unit, pinIds, instances } = change
  checkPlaces(at)
  checkAngle(angle)
  checkText(libId)
  for (const text of [value, footprint]) if (text !== undefined) checkText(text, { isEmptyFine: true })
  for (const { project, path, reference } of instances) {
    checkText(project, { isEmptyFine: true })
    checkText(path)
    checkReference(reference)
  }
  checkNewIds(root, [id, ...Object.values(pinIds)])
  const withLibrary =
    childOf(root, 'lib_symbols') === undefined ? insertItem(root, list('lib_symbols'), style) : root
  const own = childOf(withLibrary, 'lib_symbols')?.children.find(
    (child): child is List => isList(child, 'symbol') && valuesOf(child)[0] === libId,
  )
  const definition = own === undefined ? readDefinition(change) : readLibrarySymbol(own)
  if (definition === undefined) throw new Refused('bad_definition')
  const isUnit =
    definition.units.some((one) => one.unit === unit) || (unit === 1 && unitsOf(definition, 1, 1).length > 0)
  if (!isUnit) throw new Refused('no_such_unit')
  const defined = own === undefined ? insertDefinition(withLibrary, definition.node, style) : withLibrary
  const symbol = insertItem(defined, buildSymbol(change, definition, style), style)
  if (style.version >= VERSION_7) return symbol
  const entries = { unit, value: value ?? definition.id, footprint: footprint ?? '' }
  return instances.reduce(
    (before, { path, reference }) =>
      mapChild(before, 'symbol_instances', (all) =>
        appendTo(all, buildSymbolEntry(oldPath(root, path, id), { reference, ...entries }), style, 2),
      ),
    symbol,
  )
}

/** A path as KiCad 6 has it in the root: without the root, with the item. */
function oldPath(root: List, path: string, id: string): string {
  const rootId = textIn(root, 'uuid') ?? ''
  const start = `/${rootId}`
  const below =
    rootId !== '' && (path === start || path.startsWith(`${start}/`)) ? path.slice(start.length) : path
  return `${below === '/' ? '' : below}/${id}`
}

function readDefinition({ definition, libId }: Change<'addSymbol'>): LibrarySymbol | undefined {
  if (definition === undefined) throw new Refused('no_definition')
  let node: List | undefined
  try {
    const document = parse(definition)
    node = document.rest === undefined ? document.roots[0] : undefined
  } catch {
    throw new Refused('bad_definition')
  }
  const name = node?.children[1]
  if (!isList(node, 'symbol') || name?.kind !== 'atom' || childOf(node, 'extends') !== undefined)
    throw new Refused('bad_definition')
  return readLibrarySymbol(
    withUnitsOf(libId, valueOf(name) === libId ? node : replaceChild(node, 1, quote(libId))),
  )
}

/** KiCad reads no file with a unit that is not named like its symbol: `R_0_1` of `Device:R`. */
function withUnitsOf(libId: string, definition: List): List {
  const prefix = libId.slice(libId.indexOf(':') + 1)
  return definition.children.reduce<List>((before, child, at) => {
    if (!isList(child, 'symbol')) return before
    const [name = ''] = valuesOf(child)
    const [suffix] = /_\d{1,4}_\d{1,4}$/.exec(name) ?? []
    if (suffix === undefined) throw new Refused('bad_definition')
    const wanted = `${prefix}${suffix}`
    return name === wanted ? before : replaceChild(before, at, replaceChild(child, 1, quote(wanted)))
  }, definition)
}

function addSheet(root: List, change: Change<'addSheet'>, style: Style): List {
  const { id, at, size, name, file, pins, instances } = change
  checkPlaces(at, size, { x: at.x + size.x, y: at.y + size.y }, ...pins.map((pin) => pin.at))
  if (size.x <= 0 || size.y <= 0) throw new Refused('no_length')
  for (const text of [name, file, ...pins.map((pin) => pin.name)]) checkText(text)
  for (const pin of pins) {
    checkAngle(pin.angle)
    checkShape(pin.shape)
  }
  for (const { project, path, page } of instances) {
    checkText(project, { isEmptyFine: true })
    for (const text of [path, page]) checkText(text)
  }
  const grown = add(root, [id, ...pins.map((pin) => pin.id)], buildSheet(change, style), style)
  if (style.version >= VERSION_7) return grown
  return instances.reduce(
    (before, { path, page }) =>
      mapChild(before, 'sheet_instances', (all) =>
        appendTo(all, buildSheetEntry(oldPath(root, path, id), page), style, 2),
      ),
    grown,
  )
}

function addSheetPin(root: List, change: Change<'addSheetPin'>, style: Style): List {
  const { sheet, id, name, shape, at, angle } = change
  checkPlaces(at)
  checkText(name)
  checkAngle(angle)
  checkShape(shape)
  checkNewIds(root, [id])
  return mapItems(root, [sheet], (item) => {
    if (item.head !== 'sheet') throw new Refused('not_for_this', sheet)
    const pin = buildSheetPin(change, style)
    const last = item.children.findLastIndex((child) => isList(child, 'pin') || isList(child, 'property'))
    return insertChild(item, last + 1, formatList(pin, style, 2), lineStart(style, 2))
  })
}

/** Those that KiCad needs in every item of a kind. */
const NEEDED: Readonly<Record<string, number>> = { symbol: 4, sheet: 2 }

function setProperty(item: List, { id, name, value }: Change<'setProperty'>, style: Style): List {
  if (!Object.hasOwn(NEEDED, item.head) && item.head !== 'global_label') throw new Refused('not_for_this', id)
  checkText(name)
  if (value !== null) checkText(value, { isEmptyFine: true })
  if (item.head === 'symbol' && name === 'Reference') throw new Refused('reference_is_annotated', id)
  const properties = item.children.filter((child) => isList(child, 'property'))
  const index = properties.findIndex((child) => isList(child) && valuesOf(child)[0] === name)
  const property = properties[index]
  if (!isList(property)) {
    if (value === null) throw new Refused('no_such_property', id)
    const at = pointOf(childOf(item, 'at')) ?? { x: 0, y: 0 }
    const added = { name, value, at, angle: 0, isHidden: true, index: properties.length }
    return appendAfterProperties(item, buildProperty(added, style), style)
  }
  if (value === null) {
    if (index < (NEEDED[item.head] ?? 0)) throw new Refused('property_needed', id)
    return keepChildren(item, (child) => child !== property)
  }
  return replaceChild(item, item.children.indexOf(property), withValue(property, 2, value))
}

function appendAfterProperties(item: List, property: List, style: Style): List {
  return appendTo(item, property, style, 2)
}

/** A text that stays the same keeps its spelling. */
function withValue(node: List, at: number, value: string): List {
  const old = node.children[at]
  return old?.kind === 'atom' && valueOf(old) === value ? node : replaceChild(node, at, quote(value))
}

const TEXTS = ['label', 'global_label', 'hierarchical_label', 'text', 'text_box']

function setText(item: List, { id, text }: Change<'setText'>): List {
  if (!TEXTS.includes(item.head)) throw new Refused('not_for_this', id)
  return withValue(item, 1, text)
}

function annotate(root: List, { references }: Change<'annotate'>, style: Style): List {
  if (references.length > KICAD_LIMITS.items) throw new Refused('too_many_items')
  return references.reduce((before, one) => {
    checkReference(one.reference)
    checkText(one.path)
    const named = mapItems(before, [one.id], (item) => withReference(item, one, style))
    return mapChild(named, 'symbol_instances', (entries) =>
      mapEntry(entries, oldPath(root, one.path, one.id), one.reference),
    )
  }, root)
}

type Annotation = Change<'annotate'>['references'][number]

/** In the place that is named, and in the property, which KiCad shows where it knows no place. */
function withReference(symbol: List, annotation: Annotation, style: Style): List {
  const { id, project, path, reference } = annotation
  if (symbol.head !== 'symbol') throw new Refused('not_for_this' satisfies RefusalCode, id)
  const named = mapChildren(symbol, 'property', (property) =>
    valuesOf(property)[0] === 'Reference' ? withValue(property, 2, reference) : property,
  )
  if (style.version < VERSION_7) return named
  const unit = textIn(symbol, 'unit') ?? '1'
  const entry = list('path', quote(path), list('reference', quote(reference)), list('unit', createAtom(unit)))
  if (childOf(named, 'instances') === undefined)
    return appendTo(named, list('instances', list('project', quote(project), entry)), style, 2)
  return mapChild(named, 'instances', (instances) => {
    const isHere = (child: List) => childOfProject(child, path) !== undefined
    if (instances.children.some((child) => isList(child, 'project') && isHere(child)))
      return mapChildren(instances, 'project', (one) => mapEntry(one, path, reference))
    const known = instances.children.some(
      (child) => isList(child, 'project') && valuesOf(child)[0] === project,
    )
    if (!known) return appendTo(instances, list('project', quote(project), entry), style, 3)
    return mapChildren(instances, 'project', (one) =>
      valuesOf(one)[0] === project ? appendTo(one, entry, style, 4) : one,
    )
  })
}

function childOfProject(project: List, path: string): List | undefined {
  return project.children.find((child): child is List => isList(child, 'path') && valuesOf(child)[0] === path)
}

function mapEntry(entries: List, path: string, reference: string): List {
  return mapChildren(entries, 'path', (entry) =>
    valuesOf(entry)[0] === path
      ? mapChild(entry, 'reference', (node) => withValue(node, 1, reference))
      : entry,
  )
}
