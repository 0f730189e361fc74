import { placeOf } from '../schematic/geometry.ts'
import type { LibrarySymbol, PlacedSymbol, Property } from '../schematic/items.ts'
import { unitsOf } from '../schematic/library.ts'
import { type Atom, createAtom, createList, type List, type Node } from '../tree/node.ts'
import { type Style, VERSION_7, VERSION_8 } from '../tree/style.ts'
import { childOf, millimeters, type Point, quote, valuesOf } from '../tree/value.ts'
import type { NewSheetPin, SchematicChange } from './change.ts'
import { justificationOf } from './places.ts'

type Change<Kind extends SchematicChange['type']> = Extract<SchematicChange, { type: Kind }>

/** `(head …)`; a plain text is a word. */
export function list(head: string, ...children: readonly (Node | string)[]): List {
  return createList(
    [head, ...children].map((child) => (typeof child === 'string' ? createAtom(child) : child)),
  )
}

const point = (head: string, { x, y }: Point) => list(head, millimeters(x), millimeters(y))
const place = ({ x, y }: Point, angle: number) => list('at', millimeters(x), millimeters(y), String(angle))
const flag = (head: string, value: boolean) => list(head, value ? 'yes' : 'no')

/** Unquoted before KiCad 8. */
function idAtom(id: string, { version }: Style): Atom {
  return version < VERSION_8 ? createAtom(id) : quote(id)
}

const uuid = (id: string, style: Style) => list('uuid', idAtom(id, style))

function stroke(style: Style, type = 'default'): List {
  const color = style.version < VERSION_7 ? [list('color', '0', '0', '0', '0')] : []
  return list('stroke', list('width', '0'), list('type', type), ...color)
}

interface Look {
  readonly justify?: readonly string[]
  readonly isHidden?: boolean
}

function effects(style: Style, { justify = [], isHidden = false }: Look = {}): List {
  const font = list('font', list('size', '1.27', '1.27'))
  const hide = isHidden ? [style.version < VERSION_8 ? 'hide' : list('hide', 'yes')] : []
  return list('effects', font, ...(justify.length > 0 ? [list('justify', ...justify)] : []), ...hide)
}

export function buildLine({ kind, id, from, to }: Change<'addLine'>, style: Style): List {
  return list(kind, list('pts', point('xy', from), point('xy', to)), stroke(style), uuid(id, style))
}

export function buildBusEntry({ id, at, size }: Change<'addBusEntry'>, style: Style): List {
  return list('bus_entry', point('at', at), point('size', size), stroke(style), uuid(id, style))
}

export function buildMark({ kind, id, at }: Change<'addMark'>, style: Style): List {
  const look = kind === 'junction' ? [list('diameter', '0'), list('color', '0', '0', '0', '0')] : []
  return list(kind, point('at', at), ...look, uuid(id, style))
}

export function buildLabel({ kind, id, text, at, angle, shape }: Change<'addLabel'>, style: Style): List {
  const side = justificationOf(angle)
  return list(
    kind,
    quote(text),
    ...(kind === 'label' ? [] : [list('shape', shape ?? 'input')]),
    place(at, angle),
    effects(style, { justify: kind === 'label' ? [side, 'bottom'] : [side] }),
    uuid(id, style),
  )
}

export function buildText({ id, text, at, angle }: Change<'addText'>, style: Style): List {
  return list(
    'text',
    quote(text),
    ...(style.version < VERSION_8 ? [] : [flag('exclude_from_sim', false)]),
    place(at, angle),
    effects(style),
    uuid(id, style),
  )
}

/** `index`: KiCad 6 numbers properties. */
export function buildProperty(
  property: Pick<Property, 'name' | 'value' | 'angle' | 'isHidden'> & {
    readonly at: Point
    readonly index: number
    readonly justify?: readonly string[]
  },
  style: Style,
): List {
  const { name, value, at, angle, isHidden, index, justify = [] } = property
  const number = style.version < VERSION_7 ? [list('id', String(index))] : []
  const look = effects(style, { isHidden, justify })
  return list('property', quote(name), quote(value), ...number, place(at, angle), look)
}

/** Those that every symbol has, in KiCad's order. */
const FIRST = ['Reference', 'Value', 'Footprint', 'Datasheet', 'Description']
/** What KiCad keeps in a library alone. */
const OF_LIBRARY = /^ki_/

export function buildSymbol(change: Change<'addSymbol'>, definition: LibrarySymbol, style: Style): List {
  const { id, libId, at, angle, mirror, unit, value, footprint, pinIds, instances } = change
  const placed: Pick<PlacedSymbol, 'at' | 'angle' | 'mirror'> = { at, angle, mirror }
  const [first] = instances
  const given: Readonly<Record<string, string | undefined>> = {
    Reference: first?.reference,
    Value: value,
    Footprint: footprint,
  }
  const needed = FIRST.slice(0, style.version < VERSION_8 ? 4 : 5)
  const names = [
    ...needed,
    ...definition.properties
      .map(({ name }) => name)
      .filter((name) => !FIRST.includes(name) && !OF_LIBRARY.test(name)),
  ]
  const properties = names.map((name, index) => {
    const own = definition.properties.find((one) => one.name === name)
    const isShown = name === 'Value' || (name === 'Reference' && !definition.isPower)
    return buildProperty(
      {
        name,
        value: given[name] ?? own?.value ?? '',
        at: placeOf(placed, own?.at ?? { x: 0, y: 0 }),
        angle: own?.angle ?? 0,
        isHidden: own === undefined ? !isShown : own.isHidden || (name === 'Reference' && definition.isPower),
        index,
        justify: valuesOf(childOf(childOf(own?.node, 'effects'), 'justify')),
      },
      style,
    )
  })
  const numbers = new Set(
    unitsOf(definition, unit, 1).flatMap(({ pins }) => pins.map(({ number }) => number)),
  )
  const pins = [...numbers]
    .filter((number) => Object.hasOwn(pinIds, number))
    .map((number) => list('pin', quote(number), uuid(pinIds[number] ?? '', style)))
  const isNew = style.version >= VERSION_8
  return list(
    'symbol',
    list('lib_id', quote(libId)),
    place(at, angle),
    ...(mirror === undefined ? [] : [list('mirror', mirror)]),
    list('unit', String(unit)),
    ...(isNew ? [flag('exclude_from_sim', false)] : []),
    flag('in_bom', true),
    flag('on_board', true),
    ...(style.version < VERSION_7 ? [] : [flag('dnp', false)]),
    uuid(id, style),
    ...properties,
    ...pins,
    ...buildInstances(instances, style, ({ reference }) => [
      list('reference', quote(reference)),
      list('unit', String(unit)),
    ]),
  )
}

/** KiCad 6 has them in the root. */
function buildInstances<One extends { readonly project: string; readonly path: string }>(
  instances: readonly One[],
  { version }: Style,
  describe: (one: One) => readonly List[],
): List[] {
  if (version < VERSION_7 || instances.length === 0) return []
  const projects = [...new Set(instances.map(({ project }) => project))]
  return [
    list(
      'instances',
      ...projects.map((project) =>
        list(
          'project',
          quote(project),
          ...instances
            .filter((one) => one.project === project)
            .map((one) => list('path', quote(one.path), ...describe(one))),
        ),
      ),
    ),
  ]
}

/** Where KiCad puts the name and the file of a sheet: above and below it. */
const NAME_GAP = 711_600

export function buildSheet(change: Change<'addSheet'>, style: Style): List {
  const { id, at, size, name, file, pins, instances } = change
  const isOld = style.version < VERSION_7
  const isNew = style.version >= VERSION_8
  const property = (index: number, key: string, value: string, y: number, side: string) =>
    buildProperty(
      { name: key, value, at: { x: at.x, y }, angle: 0, isHidden: false, index, justify: ['left', side] },
      style,
    )
  return list(
    'sheet',
    point('at', at),
    point('size', size),
    ...(isNew
      ? [flag('exclude_from_sim', false), flag('in_bom', true), flag('on_board', true), flag('dnp', false)]
      : []),
    stroke(style, 'solid'),
    list('fill', list('color', '0', '0', '0', '0.0000')),
    uuid(id, style),
    property(0, isOld ? 'Sheet name' : 'Sheetname', name, at.y - NAME_GAP, 'bottom'),
    property(1, isOld ? 'Sheet file' : 'Sheetfile', file, at.y + size.y + NAME_GAP, 'top'),
    ...pins.map((pin) => buildSheetPin(pin, style)),
    ...buildInstances(instances, style, ({ page }) => [list('page', quote(page))]),
  )
}

export function buildSheetPin({ id, name, shape, at, angle }: NewSheetPin, style: Style): List {
  const look = effects(style, { justify: [justificationOf((angle + 180) % 360)] })
  const rest = style.version >= VERSION_8 ? [uuid(id, style), look] : [look, uuid(id, style)]
  return list('pin', quote(name), shape, place(at, angle), ...rest)
}

/** An entry of `symbol_instances`, for KiCad 6. */
export function buildSymbolEntry(
  path: string,
  {
    reference,
    unit,
    value,
    footprint,
  }: {
    readonly reference: string
    readonly unit: number
    readonly value: string
    readonly footprint: string
  },
): List {
  return list(
    'path',
    quote(path),
    list('reference', quote(reference)),
    list('unit', String(unit)),
    list('value', quote(value)),
    list('footprint', quote(footprint)),
  )
}

export function buildSheetEntry(path: string, page: string): List {
  return list('path', quote(path), list('page', quote(page)))
}
