import {
  childOf,
  childrenOf,
  type Design,
  type DesignSheet,
  definitionsOf,
  hasFlag,
  type List,
  type PlacedSymbol,
  referenceOf,
  type SchematicItem,
  type SheetBox,
  textIn,
  valuesOf,
} from '@patchbay/kicad-format'
import { colorOf, effectsOf, millimetersIn, strokeOf, strokesShape } from './effects.ts'
import { drawGraphic, drawPicture, drawTextBox } from './graphics.ts'
import { drawDirective, drawLabel, drawPlain, drawSheetPin } from './labels.ts'
import { layOutText, putAt } from './lay-out-text.ts'
import type { DrawingSettings } from './settings.ts'
import { type Drawn, drawn, type Place, type Shape } from './shapes.ts'
import { drawSymbol } from './symbols.ts'

const NANOMETERS = 1_000_000
const MIL = 0.0254
/** Half the size of the cross that leaves a pin unconnected. */
const NO_CONNECT = 24 * MIL

export interface SheetContext {
  readonly design: Design
  readonly sheet: DesignSheet
  readonly settings: DrawingSettings
}

const mm = ({ x, y }: Place): Place => ({ x: x / NANOMETERS, y: y / NANOMETERS })

/** One sheet as a list of what to draw, in the order of drawing. */
export function drawSheet(context: SheetContext): Drawn[] {
  const { schematic } = context.sheet
  const definitions = definitionsOf(schematic)
  const resolve = resolverFor(context)
  const draw = (item: SchematicItem) => drawOnce(item, context, definitions, resolve)
  return [
    ...schematic.unknown.map((node) => drawUnknown(node, context, resolve)),
    ...schematic.items.map(draw),
  ].filter(({ shapes }) => shapes.length > 0)
}

type Resolve = (text: string, symbol?: PlacedSymbol) => string

interface Kept {
  readonly picture: Drawn
  readonly settings: DrawingSettings
  /** Of a symbol. */
  readonly definition: unknown
  readonly name: string
}

const kept = new WeakMap<SchematicItem, Kept>()

/** What an edit has not touched is the same object, and looks as it did, unless its text depends on something else. */
function drawOnce(
  item: SchematicItem,
  context: SheetContext,
  definitions: ReturnType<typeof definitionsOf>,
  resolve: Resolve,
): Drawn {
  const { design, sheet, settings } = context
  const isSymbol = item.kind === 'symbol'
  const definition = isSymbol ? definitions(item) : undefined
  const { reference, unit } = isSymbol ? referenceOf(design, sheet, item) : { reference: '', unit: 1 }
  const name = `${reference} ${unit}`
  const found = kept.get(item)
  if (found?.settings === settings && found.definition === definition && found.name === name)
    return found.picture
  let isVariable = false
  const picture = drawItem(item, context, definitions, (text, symbol) => {
    isVariable ||= text.includes('${')
    return resolve(text, symbol)
  })
  if (!isVariable) kept.set(item, { picture, settings, definition, name })
  return picture
}

function drawItem(
  item: SchematicItem,
  context: SheetContext,
  definitions: ReturnType<typeof definitionsOf>,
  resolve: Resolve,
): Drawn {
  const { design, sheet, settings } = context
  switch (item.kind) {
    case 'symbol': {
      const { reference, unit } = referenceOf(design, sheet, item)
      return drawSymbol(item, definitions(item), { settings, reference, unit, resolve })
    }
    case 'wire':
    case 'bus': {
      const usual = item.kind === 'bus' ? settings.lineWidth * 2 : settings.lineWidth
      const points = [mm(item.from), mm(item.to)]
      return drawn(item.id, [{ kind: 'line', points, ...strokeOf(item.node, item.kind, usual) }])
    }
    case 'bus_entry': {
      const [from, size] = [mm(item.at), mm(item.size)]
      const points = [from, { x: from.x + size.x, y: from.y + size.y }]
      return drawn(item.id, [{ kind: 'line', points, ...strokeOf(item.node, 'wire', settings.lineWidth) }])
    }
    case 'junction': {
      const diameter = millimetersIn(item.node, 'diameter') ?? 0
      const radius = (diameter > 0 ? diameter : settings.junctionDiameter) / 2
      const fill = colorOf(item.node) ?? 'junction'
      return drawn(item.id, [{ kind: 'circle', center: mm(item.at), radius, width: 0, fill }])
    }
    case 'no_connect': {
      const { x, y } = mm(item.at)
      const cross = [1, -1].map(
        (way): Shape => ({
          kind: 'line',
          points: [
            { x: x - NO_CONNECT, y: y - way * NO_CONNECT },
            { x: x + NO_CONNECT, y: y + way * NO_CONNECT },
          ],
          stroke: 'noConnect',
          width: settings.lineWidth,
        }),
      )
      return drawn(item.id, cross)
    }
    case 'label':
    case 'global_label':
    case 'hierarchical_label':
      return drawLabel(item, settings, resolve)
    case 'text': {
      const style = effectsOf(item.node, settings)
      const { x, y } = mm(item.at)
      const text = resolve(item.text)
      // KiCad has texts a little higher than fields, however they are turned.
      const lines = putAt(layOutText(text, style), { x, y: y - TEXT_LIFT }, item.angle % 180)
      return drawn(item.id, [strokesShape(text, lines, style.pen, style.color ?? 'note')])
    }
    case 'text_box':
      return drawn(
        item.id,
        drawTextBox(item.node, resolve(item.text), settings, { stroke: 'note', text: 'note' }),
      )
    case 'sheet':
      return drawn(item.id, drawSheetBox(item, settings, resolve))
    default:
      item satisfies never
      return drawn('', [])
  }
}

const TEXT_LIFT = 0.25

function drawSheetBox(box: SheetBox, settings: DrawingSettings, resolve: Resolve): Shape[] {
  const [from, size] = [mm(box.at), mm(box.size)]
  const points = [
    from,
    { x: from.x + size.x, y: from.y },
    { x: from.x + size.x, y: from.y + size.y },
    { x: from.x, y: from.y + size.y },
  ]
  const fill = colorOf(childOf(box.node, 'fill')) ?? ('sheetFill' as const)
  const frame: Shape = {
    kind: 'line',
    points,
    isClosed: true,
    ...strokeOf(box.node, 'sheet', settings.lineWidth),
    fill,
  }
  const fields = box.properties.flatMap((property, index): Shape[] => {
    if (property.isHidden || property.at === undefined) return []
    const ink = index === 0 ? 'sheetName' : index === 1 ? 'sheetFile' : 'field'
    const value = resolve(property.value)
    const text =
      index === 1
        ? `File: ${value}`
        : hasFlag(property.node, 'show_name')
          ? `${property.name}: ${value}`
          : value
    return [drawPlain(property.node, text, mm(property.at), settings, ink)]
  })
  return [frame, ...fields, ...box.pins.flatMap((pin) => drawSheetPin(pin, settings))]
}

const NOTES = { stroke: 'note', background: undefined } as const

/** What changes nothing and connects nothing, but is to be seen. */
function drawUnknown(node: List, context: SheetContext, resolve: Resolve): Drawn {
  const { settings } = context
  const id = textIn(node, 'uuid') ?? ''
  switch (node.head) {
    case 'image':
      return drawn(id, drawPicture(node))
    case 'netclass_flag':
    case 'directive_label':
      return drawDirective(node, settings)
    case 'rule_area':
      return drawn(
        id,
        childrenOf(node, 'polyline').flatMap((line) =>
          drawGraphic(line, (one) => one, { stroke: 'directive', background: undefined }, settings).map(
            closed,
          ),
        ),
      )
    case 'table':
      return drawn(id, drawTable(node, settings, resolve))
    // KiCad draws lines that are neither wire nor bus with more than two points as lines.
    case 'wire':
    case 'bus':
      return drawn(
        id,
        drawGraphic(
          { ...node, head: 'polyline' },
          (one) => one,
          { stroke: node.head, background: undefined },
          settings,
        ),
      )
    default:
      return drawn(
        id,
        drawGraphic(node, (one) => one, NOTES, settings),
      )
  }
}

const closed = (shape: Shape): Shape => (shape.kind === 'line' ? { ...shape, isClosed: true } : shape)

function drawTable(node: List, settings: DrawingSettings, resolve: Resolve): Shape[] {
  return childrenOf(childOf(node, 'cells'), 'table_cell').flatMap((cell) => {
    const text = valuesOf(cell)[0] ?? ''
    return drawTextBox(cell, resolve(text), settings, { stroke: 'note', text: 'note' })
  })
}

const MOST_ROUNDS = 8

/** Replaces `${…}` in texts. What nobody knows stays as it is. */
function resolverFor({ design, sheet, settings }: SheetContext): Resolve {
  const { titleBlock } = design.sheets[0]?.schematic ?? sheet.schematic
  const own = sheet.schematic.titleBlock
  const page = design.sheets.indexOf(sheet) + 1
  const known = new Map<string, string>([
    ...Object.entries(settings.variables),
    ['#', String(page)],
    ['##', String(design.sheets.length)],
    ['SHEETNAME', sheet.name.split('/').at(-2) ?? ''],
    ['SHEETPATH', sheet.name],
    ['FILENAME', sheet.file.split('/').at(-1) ?? ''],
    ['PROJECTNAME', (design.sheets[0]?.file.split('/').at(-1) ?? '').replace(/\.kicad_sch$/, '')],
    ['TITLE', own.title || titleBlock.title],
    ['ISSUE_DATE', own.date || titleBlock.date],
    ['REVISION', own.revision || titleBlock.revision],
    ['COMPANY', own.company || titleBlock.company],
    ...Object.entries(own.comments).map(([number, text]): [string, string] => [`COMMENT${number}`, text]),
  ])
  const ofSymbol = (name: string, symbol: PlacedSymbol): string | undefined => {
    if (name === 'REFERENCE') return referenceOf(design, sheet, symbol).reference
    const wanted = name.toLowerCase()
    return symbol.properties.find((one) => one.name.toLowerCase() === wanted)?.value
  }
  return (given, symbol) => {
    let text = given
    for (let round = 0; round < MOST_ROUNDS && text.includes('${') && text.length < 10_000; round += 1) {
      const next = text.replaceAll(
        /\$\{([^${}]+)\}/g,
        (all, name: string) =>
          (symbol === undefined ? undefined : ofSymbol(name, symbol)) ?? known.get(name) ?? all,
      )
      if (next === text) break
      text = next
    }
    return text
  }
}
