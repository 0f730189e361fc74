import {
  annotationFor,
  applyChange,
  type Design,
  type DesignSheet,
  type Document,
  type Label,
  type Point,
  projectOf,
  type SchematicChange,
} from '@patchbay/kicad-format'
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { notify } from '../../../components/toast.tsx'
import type { CanvasHandle, Press } from './canvas/sheet-canvas.tsx'
import type { Place } from './drawing/shapes.ts'
import type { DesignFiles } from './editing/design-files.ts'
import { bend, endsIn, type NewId } from './tools/connect.ts'
import { changesAt, mirrored, moveChanges, type Placing, SELECT, type Tool, turned } from './tools/tool.ts'
import { words } from './words.ts'

const NANOMETERS = 1_000_000
/** 50 mil: where KiCad's pins are. */
const GRID = 1_270_000

const snap = ({ x, y }: Place): Point => ({
  x: Math.round((x * NANOMETERS) / GRID) * GRID,
  y: Math.round((y * NANOMETERS) / GRID) * GRID,
})

export type TextKind = Label['kind'] | 'text'
export type Asked =
  | { readonly kind: 'text'; readonly what: TextKind }
  | { readonly kind: 'symbol'; readonly isPower: boolean }
  | { readonly kind: 'sheet' }

interface Given {
  readonly files: DesignFiles
  readonly design: Design
  readonly sheet: DesignSheet
  readonly document: Document | undefined
  readonly mayEdit: boolean
  readonly showSheet: (name: string) => void
  readonly canvas: RefObject<CanvasHandle | null>
  readonly openProperties: () => void
  readonly newId: NewId
  /** Numbers symbols of several files. */
  readonly annotateAll: () => void
}

const NOTHING: ReadonlySet<string> = new Set()

/** What the pointer and the keys do on a sheet, with the keys that people know from KiCad. */
export function useSheetTool(given: Given) {
  const { files, design, sheet, document, mayEdit, showSheet, canvas, openProperties, newId, annotateAll } =
    given
  const [tool, setTool] = useState<Tool>(SELECT)
  const [at, setAt] = useState<Point>({ x: 0, y: 0 })
  const [hovered, setHovered] = useState<string>()
  const [selected, setSelected] = useState<ReadonlySet<string>>(NOTHING)
  const [dialog, setDialog] = useState<Asked>()
  const copied = useRef<readonly string[]>([])
  const { path } = sheet
  const [shownPath, setShownPath] = useState(path)
  if (shownPath !== path) {
    setShownPath(path)
    setTool(SELECT)
    setSelected(NOTHING)
    setHovered(undefined)
  }

  const context = document === undefined ? undefined : { document, design, sheet, newId }
  const there = new Set(sheet.schematic.items.map(({ id }) => id))
  const chosen = new Set([...selected].filter((id) => there.has(id)))

  /** Makes changes as one step. Says why, if it cannot be done. */
  const change = (changes: readonly SchematicChange[]): boolean => {
    if (!mayEdit || changes.length === 0) return false
    const refused = files.change(changes)
    if (refused !== undefined) notify({ title: words.problems.notDone, tone: 'warning' })
    return refused === undefined
  }
  const start = (next: Tool) => {
    if (!mayEdit) return
    setTool(next)
    canvas.current?.focus()
  }
  const place = (what: Placing) => {
    setDialog(undefined)
    setSelected(NOTHING)
    start({ kind: 'place', what, angle: 0 })
  }
  const undo = (isBack: boolean) => {
    if (!mayEdit) return
    setTool(SELECT)
    if (!(isBack ? files.undo() : files.redo())) notify({ title: words.problems.notUndone, tone: 'warning' })
  }
  /** Where the wire, or what is moved, may begin. */
  const cursorAt = (): Point => snap(canvas.current?.cursor ?? { x: 0, y: 0 })

  const finishLine = (corners: readonly Point[], to: Point) => {
    if (context === undefined || tool.kind !== 'line') return
    change(changesAt({ ...tool, corners }, to, context))
    setTool(SELECT)
  }
  const press = ({ at: exact, id, isAdding }: Press) => {
    const here = snap(exact)
    if (context === undefined) return
    switch (tool.kind) {
      case 'select': {
        if (id === undefined) return setSelected(isAdding ? chosen : NOTHING)
        if (!isAdding) return setSelected(new Set([id]))
        const next = new Set(chosen)
        if (!next.delete(id)) next.add(id)
        return setSelected(next)
      }
      case 'move':
      case 'copy':
        change(changesAt(tool, here, context))
        return setTool(SELECT)
      case 'line': {
        const last = tool.corners.at(-1)
        if (last === undefined) return setTool({ ...tool, corners: [here] })
        const isEnd = endsIn(sheet.schematic).some((end) => end.x === here.x && end.y === here.y)
        const isSame = last.x === here.x && last.y === here.y
        if (isEnd || isSame) return finishLine(tool.corners, here)
        return setTool({ ...tool, corners: [...tool.corners, ...bend(last, here).slice(1)] })
      }
      case 'place':
        change(changesAt(tool, here, context))
        return ['symbol', 'text', 'sheet'].includes(tool.what.kind) ? setTool(SELECT) : undefined
      default:
        return tool satisfies never
    }
  }
  const open = ({ at: exact, id }: Pick<Press, 'at' | 'id'>) => {
    if (tool.kind === 'line') return finishLine(tool.corners, snap(exact))
    const item = sheet.schematic.items.find((one) => one.id === id)
    if (item?.kind === 'sheet') {
      const child = sheet.children.get(item)
      if (child !== undefined) showSheet(child.name)
    } else if (item !== undefined) {
      setSelected(new Set([item.id]))
      openProperties()
    }
    return undefined
  }
  const goUp = () => {
    const names = sheet.name.split('/').slice(1, -2)
    if (sheet.name !== '/') showSheet(names.length === 0 ? '/' : `/${names.join('/')}/`)
  }
  const middle = (): Point => {
    const items = sheet.schematic.items.filter(({ id }) => chosen.has(id))
    const places = items.map((item) => ('at' in item ? item.at : item.from))
    const [first = { x: 0, y: 0 }] = places
    if (items.length === 1) return first
    const middleOf = (values: readonly number[]) => (Math.min(...values) + Math.max(...values)) / 2
    return {
      x: Math.round(middleOf(places.map(({ x }) => x)) / GRID) * GRID,
      y: Math.round(middleOf(places.map(({ y }) => y)) / GRID) * GRID,
    }
  }
  /** What is selected, or else what is under the cursor. */
  const subject = (id: string | undefined): readonly string[] => {
    if (chosen.size > 0) return [...chosen]
    if (id === undefined) return []
    setSelected(new Set([id]))
    return [id]
  }
  const commands = {
    rotate: (id?: string) => {
      if (tool.kind !== 'select') return setTool(turned(tool, 1))
      const ids = subject(id)
      const about = chosen.size > 0 ? middle() : placeOfItem(sheet, ids[0])
      return void change(ids.length === 0 ? [] : [{ type: 'rotate', ids, about, turns: 1 }])
    },
    mirror: (axis: 'x' | 'y', id?: string) => {
      if (tool.kind !== 'select') return setTool(mirrored(tool, axis))
      const ids = subject(id)
      const about = chosen.size > 0 ? middle() : placeOfItem(sheet, ids[0])
      return void change(ids.length === 0 ? [] : [{ type: 'mirror', ids, about, axis }])
    },
    remove: (id?: string) => {
      const ids = subject(id)
      if (ids.length > 0 && change([{ type: 'delete', ids }])) setSelected(NOTHING)
    },
    move: (isDrag: boolean, id?: string) => {
      const ids = subject(id)
      if (ids.length > 0) start({ kind: 'move', ids, from: cursorAt(), isDrag })
    },
    duplicate: (id?: string) => {
      const ids = subject(id)
      if (ids.length > 0) start({ kind: 'copy', ids, from: cursorAt() })
    },
    line: (line: 'wire' | 'bus', isStarted: boolean) =>
      start({ kind: 'line', line, corners: isStarted ? [cursorAt()] : [] }),
    ask: (next: Asked) => {
      if (mayEdit) setDialog(next)
    },
    mark: (kind: 'junction' | 'no_connect') => place({ kind }),
    annotate: () => {
      const found = annotationFor(design, projectOf(design))
      const own = found.get(sheet.file)
      // What is about this file alone can be undone here.
      if (own !== undefined && found.size === 1) change([own])
      else if (mayEdit && found.size > 0) annotateAll()
    },
    undo: () => undo(true),
    redo: () => undo(false),
    properties: openProperties,
  }

  const editingKey = (event: KeyboardEvent, id: string | undefined): boolean => {
    const isControl = event.ctrlKey || event.metaKey
    const key = event.key.toLowerCase()
    if (isControl) {
      if (key === 'z') undo(!event.shiftKey)
      else if (key === 'y') undo(false)
      else if (key === 'd') commands.duplicate(id)
      else if (key === 'l') commands.ask({ kind: 'text', what: 'global_label' })
      else if (key === 'c') copied.current = subject(id)
      else if (key === 'v' && copied.current.length > 0)
        start({ kind: 'copy', ids: copied.current, from: placeOfItem(sheet, copied.current[0]) })
      else if (key === 'a') setSelected(there)
      else return false
      return true
    }
    const act = LETTERS[key]
    if (event.altKey || act === undefined) return false
    act(commands, id)
    return true
  }

  return {
    tool,
    selected: chosen,
    hovered,
    dialog,
    commands,
    change,
    place,
    select: (ids: readonly string[]) => {
      setTool(SELECT)
      setSelected(new Set(ids))
    },
    closeDialog: () => setDialog(undefined),
    /** What is there, with what a press would do to it. */
    preview(current: Document | undefined): Document | undefined {
      if (context === undefined || current === undefined || tool.kind === 'select') return current
      let shown: Document = current
      for (const one of changesAt(tool, at, context)) shown = applyChange(shown, one).document ?? shown
      return shown
    },
    handlers: {
      onMove(exact: Place, id: string | undefined) {
        const here = snap(exact)
        if (here.x !== at.x || here.y !== at.y) setAt(here)
        if (id !== hovered) setHovered(id)
      },
      onPress: press,
      onOpen: open,
      onBox(ids: readonly string[], isAdding: boolean) {
        setSelected(new Set(isAdding ? [...chosen, ...ids] : ids))
      },
      onGrab({ at: exact, id }: Press): boolean {
        if (id === undefined || !there.has(id)) return false
        const ids = chosen.has(id) ? [...chosen] : [id]
        if (!chosen.has(id)) setSelected(new Set([id]))
        setTool({ kind: 'move', ids, from: snap(exact), isDrag: true })
        return true
      },
      onDrop(exact: Place) {
        if (tool.kind === 'move' && context !== undefined) {
          const to = snap(exact)
          change(
            moveChanges(context, tool.ids, { x: to.x - tool.from.x, y: to.y - tool.from.y }, tool.isDrag),
          )
        }
        setTool(SELECT)
      },
      onKey(event: KeyboardEvent, exact: Place, id: string | undefined): boolean {
        switch (event.key) {
          case 'Escape':
            if (tool.kind === 'select' && chosen.size === 0) return false
            if (tool.kind === 'select') setSelected(NOTHING)
            setTool(SELECT)
            return true
          case 'Enter':
          case ' ': {
            const isSheet = tool.kind === 'select' && id !== undefined && chosen.has(id)
            if (isSheet) open({ at: exact, id })
            else press({ at: exact, id, isAdding: event.shiftKey })
            return true
          }
          case 'Backspace':
            goUp()
            return true
          case 'Home':
            canvas.current?.fit()
            return true
          case '+':
          case '=':
            canvas.current?.zoom(1.25)
            return true
          case '-':
            canvas.current?.zoom(1 / 1.25)
            return true
          default:
            return mayEdit && editingKey(event, id)
        }
      },
    },
  }
}

export type SheetTool = ReturnType<typeof useSheetTool>
type Commands = SheetTool['commands']

const LETTERS: Readonly<Record<string, (commands: Commands, id: string | undefined) => void>> = {
  m: ({ move }, id) => move(false, id),
  g: ({ move }, id) => move(true, id),
  r: ({ rotate }, id) => rotate(id),
  x: ({ mirror }, id) => mirror('y', id),
  y: ({ mirror }, id) => mirror('x', id),
  delete: ({ remove }, id) => remove(id),
  w: ({ line }) => line('wire', true),
  b: ({ line }) => line('bus', true),
  l: ({ ask }) => ask({ kind: 'text', what: 'label' }),
  h: ({ ask }) => ask({ kind: 'text', what: 'hierarchical_label' }),
  t: ({ ask }) => ask({ kind: 'text', what: 'text' }),
  a: ({ ask }) => ask({ kind: 'symbol', isPower: false }),
  p: ({ ask }) => ask({ kind: 'symbol', isPower: true }),
  s: ({ ask }) => ask({ kind: 'sheet' }),
  q: ({ mark }) => mark('no_connect'),
  j: ({ mark }) => mark('junction'),
  e: ({ properties }) => properties(),
}

function placeOfItem(sheet: DesignSheet, id: string | undefined): Point {
  const item = sheet.schematic.items.find((one) => one.id === id)
  if (item === undefined) return { x: 0, y: 0 }
  return 'at' in item ? item.at : item.from
}
