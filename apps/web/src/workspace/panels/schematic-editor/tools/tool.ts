import {
  type Design,
  type DesignSheet,
  type Document,
  type Label,
  type Line,
  type MirrorAxis,
  type Point,
  readSchematic,
  type SchematicChange,
  wiresToDrag,
} from '@patchbay/kicad-format'
import { bend, junctionsAfter, lineChanges, type NewId } from './connect.ts'
import { duplicate } from './duplicate.ts'
import { addSheet, type SheetChoice } from './place-sheet.ts'
import { addSymbol, type SymbolChoice } from './place-symbol.ts'

/** What is put on the sheet with the next press. */
export type Placing =
  | { readonly kind: Label['kind']; readonly text: string; readonly shape?: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'junction' | 'no_connect' }
  | { readonly kind: 'symbol'; readonly choice: SymbolChoice }
  | { readonly kind: 'sheet'; readonly choice: SheetChoice }

export type Tool =
  | { readonly kind: 'select' }
  /** Wires follow what is dragged. */
  | { readonly kind: 'move'; readonly ids: readonly string[]; readonly from: Point; readonly isDrag: boolean }
  | { readonly kind: 'copy'; readonly ids: readonly string[]; readonly from: Point }
  | { readonly kind: 'line'; readonly line: Line['kind']; readonly corners: readonly Point[] }
  | {
      readonly kind: 'place'
      readonly what: Placing
      readonly angle: number
      readonly mirror?: MirrorAxis | undefined
    }

export const SELECT: Tool = { kind: 'select' }

export interface ToolContext {
  readonly document: Document
  readonly design: Design
  readonly sheet: DesignSheet
  readonly newId: NewId
}

const away = (from: Point, to: Point): Point => ({ x: to.x - from.x, y: to.y - from.y })

/** What a press here would change: it is shown while the pointer moves, and made with the press. */
export function changesAt(tool: Tool, at: Point, context: ToolContext): SchematicChange[] {
  const { document, newId } = context
  switch (tool.kind) {
    case 'select':
      return []
    case 'move':
      return moveChanges(context, tool.ids, away(tool.from, at), tool.isDrag)
    case 'copy': {
      const chosen = new Set(tool.ids)
      const items = context.sheet.schematic.items.filter(({ id }) => chosen.has(id))
      return duplicate(items, away(tool.from, at), context, newId)
    }
    case 'line': {
      const last = tool.corners.at(-1)
      if (last === undefined) return []
      return lineChanges(document, tool.line, [...tool.corners.slice(0, -1), ...bend(last, at)], newId)
    }
    case 'place':
      return placeChanges(tool.what, tool, at, context)
    default:
      tool satisfies never
      return []
  }
}

export function moveChanges(
  { document, newId }: Pick<ToolContext, 'document' | 'newId'>,
  ids: readonly string[],
  by: Point,
  isDrag: boolean,
): SchematicChange[] {
  const schematic = readSchematic(document)
  if ((by.x === 0 && by.y === 0) || ids.length === 0 || schematic === undefined) return []
  const move: SchematicChange = {
    type: 'move',
    ids,
    by,
    ...(isDrag && { ends: wiresToDrag(schematic, ids) }),
  }
  return [move, ...junctionsAfter(document, [move], [], newId)]
}

function placeChanges(
  what: Placing,
  { angle, mirror }: { readonly angle: number; readonly mirror?: MirrorAxis | undefined },
  at: Point,
  context: ToolContext,
): SchematicChange[] {
  const { newId, document } = context
  switch (what.kind) {
    case 'label':
    case 'global_label':
    case 'hierarchical_label': {
      const shape = what.kind === 'label' ? {} : { shape: what.shape ?? 'bidirectional' }
      return [{ type: 'addLabel', kind: what.kind, id: newId(), text: what.text, at, angle, ...shape }]
    }
    case 'text':
      return [{ type: 'addText', id: newId(), text: what.text, at, angle }]
    case 'junction':
    case 'no_connect':
      return [{ type: 'addMark', kind: what.kind, id: newId(), at }]
    case 'symbol': {
      const added = addSymbol(what.choice, { at, angle, mirror, unit: 1 }, context, newId)
      return [added, ...junctionsAfter(document, [added], [], newId)]
    }
    case 'sheet':
      return [addSheet(what.choice, at, context, newId)]
    default:
      what satisfies never
      return []
  }
}

/** Turned by a quarter, while it is placed. */
export function turned(tool: Tool, turns: 1 | 3): Tool {
  return tool.kind === 'place' ? { ...tool, angle: (tool.angle + 90 * turns) % 360 } : tool
}

export function mirrored(tool: Tool, axis: MirrorAxis): Tool {
  if (tool.kind !== 'place') return tool
  return { ...tool, mirror: tool.mirror === axis ? undefined : axis }
}
