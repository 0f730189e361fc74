import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import { type Box, type Drawn, type Place } from '../drawing/shapes.ts'
import styles from '../schematic-editor.module.css'
import { hitAt, hitIn } from './hit.ts'
import { type Mark, markAt, paintMarks } from './marks.ts'
import { paint, paintGlow, type View } from './paint.ts'
import { picturesOf } from './pictures.ts'
import type { SheetTheme } from './theme.ts'
import { fitTo, panBy, toSheet, zoomAt } from './view.ts'

export interface CanvasHandle {
  fit(): void
  zoom(factor: number): void
  focus(): void
  /** Brings a place into the middle, from near enough to read what is there. */
  lookAt(at: Place): void
  /** Where the cursor is, on the sheet. */
  readonly cursor: Place
}

export interface Press {
  readonly at: Place
  readonly id: string | undefined
  readonly isAdding: boolean
}

interface SheetCanvasProps {
  ref: Ref<CanvasHandle>
  label: string
  helpId: string
  theme: SheetTheme
  paper: Box
  frame: Drawn
  drawn: readonly Drawn[]
  selected: ReadonlySet<string>
  /** Of the net under the pointer. */
  glowing: ReadonlySet<string>
  marks: readonly Mark[]
  /** While something is placed each press counts, and nothing is dragged. */
  isPlacing: boolean
  mayDrag: boolean
  /** Another one is shown from its beginning. */
  sheetKey: string
  onMark: (key: number) => void
  onMove: (at: Place, id: string | undefined) => void
  onPress: (press: Press) => void
  onOpen: (press: Press) => void
  onBox: (ids: readonly string[], isAdding: boolean) => void
  /** Something is taken hold of: whether it is moved from now on. */
  onGrab: (press: Press) => boolean
  onDrop: (at: Place) => void
  onKey: (event: KeyboardEvent, at: Place, id: string | undefined) => boolean
}

const REACH = 6
const STILL = 4
/** In pixels for a millimeter. */
const READABLE = 5
const GRID = 1.27
const ARROWS: Readonly<Record<string, Place>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

interface Hold {
  readonly pointer: number
  readonly start: Place
  last: Place
  mode: 'waiting' | 'pan' | 'grab' | 'box'
  readonly isPan: boolean
  readonly isAdding: boolean
}

/** A sheet on a canvas: moved and zoomed with the pointer, or with keys about a cursor of its own. */
export function SheetCanvas(props: SheetCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const latest = useRef(props)
  const view = useRef<View>({ scale: 3, x: 0, y: 0 })
  const cursor = useRef<Place>({ x: 0, y: 0 })
  const isKeyed = useRef(false)
  const hold = useRef<Hold>(undefined)
  const touches = useRef(new Map<number, Place>())
  const frame = useRef(0)
  const fitted = useRef<string>(undefined)
  /** Until somebody looks elsewhere, all of the sheet is seen, however large the panel becomes. */
  const isWhole = useRef(true)

  const size = () => {
    const { clientWidth, clientHeight } = canvas.current ?? { clientWidth: 1, clientHeight: 1 }
    return { width: Math.max(1, clientWidth), height: Math.max(1, clientHeight) }
  }
  const repaint = () => {
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0
      if (canvas.current !== null)
        paintAll(canvas.current, latest.current, view.current, {
          cursor: isKeyed.current ? cursor.current : undefined,
          box: hold.current?.mode === 'box' ? { from: hold.current.start, to: hold.current.last } : undefined,
          onPicture: repaint,
        })
    })
  }
  const show = (next: View) => {
    isWhole.current = false
    view.current = next
    repaint()
  }
  const fit = () => {
    const { width, height } = size()
    show(fitTo(latest.current.paper, width, height))
    isWhole.current = true
  }
  const idAt = (at: Place) => hitAt(latest.current.drawn, at, REACH / view.current.scale)?.id

  useLayoutEffect(() => {
    latest.current = props
    if (fitted.current !== props.sheetKey) {
      fitted.current = props.sheetKey
      const { left, top, right, bottom } = props.paper
      cursor.current = snapToGrid({ x: (left + right) / 2, y: (top + bottom) / 2 })
      fit()
    }
    repaint()
  })
  useEffect(() => {
    const element = canvas.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => {
      if (isWhole.current) fit()
      repaint()
    })
    observer.observe(element)
    const wheel = (event: WheelEvent) => {
      event.preventDefault()
      const { left, top } = element.getBoundingClientRect()
      const at = { x: event.clientX - left, y: event.clientY - top }
      if (event.shiftKey && !event.ctrlKey) show(panBy(view.current, -event.deltaX - event.deltaY, 0))
      else show(zoomAt(view.current, at, Math.exp(-Math.max(-300, Math.min(300, event.deltaY)) / 400)))
    }
    // React listens passively, and the page would scroll or zoom as well.
    element.addEventListener('wheel', wheel, { passive: false })
    return () => {
      observer.disconnect()
      element.removeEventListener('wheel', wheel)
      cancelAnimationFrame(frame.current)
      frame.current = 0
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what they use is in refs
  }, [])
  useImperativeHandle(props.ref, () => ({
    fit,
    zoom(factor) {
      const { width, height } = size()
      show(zoomAt(view.current, { x: width / 2, y: height / 2 }, factor))
    },
    focus: () => canvas.current?.focus(),
    lookAt(at) {
      const { width, height } = size()
      const scale = Math.max(view.current.scale, READABLE)
      cursor.current = at
      show({ scale, x: width / 2 - at.x * scale, y: height / 2 - at.y * scale })
    },
    get cursor() {
      return cursor.current
    },
  }))

  const placeOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Place => {
    const { left, top } = canvas.current?.getBoundingClientRect() ?? { left: 0, top: 0 }
    return { x: clientX - left, y: clientY - top }
  }
  const moveCursor = (at: Place, byKey: boolean) => {
    cursor.current = at
    isKeyed.current = byKey
    latest.current.onMove(at, idAt(at))
    repaint()
  }

  return (
    <canvas
      ref={canvas}
      // oxlint-disable-next-line jsx-a11y/no-interactive-element-to-noninteractive-role -- an application takes keys
      role="application"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- and the focus
      tabIndex={0}
      aria-label={props.label}
      aria-describedby={props.helpId}
      className={styles.canvas}
      data-own-keys
      data-placing={props.isPlacing || undefined}
      onContextMenu={(event) => event.preventDefault()}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        event.currentTarget.focus({ preventScroll: true })
        const at = placeOf(event)
        if (event.pointerType === 'touch') touches.current.set(event.pointerId, at)
        if (touches.current.size > 1) {
          hold.current = undefined
          return
        }
        hold.current = {
          pointer: event.pointerId,
          start: at,
          last: at,
          mode: 'waiting',
          isPan: event.button !== 0,
          isAdding: event.shiftKey || event.ctrlKey || event.metaKey,
        }
      }}
      onPointerMove={(event) => {
        const at = placeOf(event)
        const known = touches.current.get(event.pointerId)
        if (known !== undefined && touches.current.size === 2) {
          const [other = at] = [...touches.current].flatMap(([id, place]) =>
            id === event.pointerId ? [] : [place],
          )
          const before = Math.hypot(known.x - other.x, known.y - other.y)
          const after = Math.hypot(at.x - other.x, at.y - other.y)
          const moved = panBy(view.current, (at.x - known.x) / 2, (at.y - known.y) / 2)
          const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 }
          touches.current.set(event.pointerId, at)
          return show(before > 0 ? zoomAt(moved, middle, after / before) : moved)
        }
        if (known !== undefined) touches.current.set(event.pointerId, at)
        const held = hold.current
        if (held !== undefined && held.mode === 'waiting') {
          if (Math.hypot(at.x - held.start.x, at.y - held.start.y) > STILL)
            begin(held, event.pointerType === 'touch')
        }
        if (held?.mode === 'pan') {
          show(panBy(view.current, at.x - held.last.x, at.y - held.last.y))
          held.last = at
          return undefined
        }
        if (held !== undefined) held.last = at
        return moveCursor(toSheet(view.current, at), false)
      }}
      onPointerUp={(event) => {
        touches.current.delete(event.pointerId)
        const held = hold.current
        hold.current = undefined
        if (held === undefined || held.pointer !== event.pointerId) return
        const at = toSheet(view.current, placeOf(event))
        if (held.mode === 'grab') latest.current.onDrop(at)
        else if (held.mode === 'box') {
          const ids = hitIn(latest.current.drawn, toSheet(view.current, held.start), at)
          latest.current.onBox(ids, held.isAdding)
        } else if (held.mode === 'waiting' && !held.isPan) {
          const { marks, isPlacing, onMark } = latest.current
          const mark = isPlacing ? undefined : markAt(marks, view.current, held.start)
          if (mark !== undefined) return onMark(mark.key)
          cursor.current = at
          latest.current.onPress({ at, id: idAt(at), isAdding: held.isAdding })
        }
        repaint()
      }}
      onPointerCancel={(event) => {
        touches.current.delete(event.pointerId)
        hold.current = undefined
        repaint()
      }}
      onDoubleClick={(event) => {
        const at = toSheet(view.current, placeOf(event))
        latest.current.onOpen({ at, id: idAt(at), isAdding: false })
      }}
      onKeyDown={(event) => {
        const way = ARROWS[event.key]
        if (way !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
          const step = GRID * (event.shiftKey ? 10 : 1)
          const from = snapToGrid(cursor.current)
          const next = { x: from.x + way.x * step, y: from.y + way.y * step }
          moveCursor(next, true)
          const kept = keepInView(view.current, next, size())
          if (kept.x !== view.current.x || kept.y !== view.current.y) show(kept)
          return event.preventDefault()
        }
        if (!latest.current.onKey(event, cursor.current, idAt(cursor.current))) return
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )

  function begin(held: Hold, isTouch: boolean): void {
    const start = toSheet(view.current, held.start)
    const id = idAt(start)
    if (held.isPan) held.mode = 'pan'
    else if (latest.current.isPlacing) held.mode = isTouch ? 'pan' : 'waiting'
    else if (
      id !== undefined &&
      latest.current.mayDrag &&
      latest.current.onGrab({ at: start, id, isAdding: held.isAdding })
    )
      held.mode = 'grab'
    else held.mode = isTouch ? 'pan' : 'box'
  }
}

function snapToGrid({ x, y }: Place): Place {
  return { x: Math.round(x / GRID) * GRID, y: Math.round(y / GRID) * GRID }
}

function keepInView(view: View, at: Place, { width, height }: { width: number; height: number }): View {
  const [x, y] = [at.x * view.scale + view.x, at.y * view.scale + view.y]
  const margin = 24
  const by = (value: number, most: number) =>
    value < margin ? margin - value : value > most - margin ? most - margin - value : 0
  return panBy(view, by(x, width), by(y, height))
}

interface Overlay {
  readonly cursor: Place | undefined
  readonly box: { readonly from: Place; readonly to: Place } | undefined
  readonly onPicture: () => void
}

function paintAll(
  canvas: HTMLCanvasElement,
  { theme, paper, frame, drawn, selected, glowing, marks }: SheetCanvasProps,
  view: View,
  overlay: Overlay,
): void {
  const density = globalThis.devicePixelRatio || 1
  const width = Math.round(canvas.clientWidth * density)
  const height = Math.round(canvas.clientHeight * density)
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width
    canvas.height = height
  }
  const context = canvas.getContext('2d')
  if (context === null || width === 0 || height === 0) return
  const dense = { scale: view.scale * density, x: view.x * density, y: view.y * density }
  const painting = { theme, view: dense, width, height, thinnest: 0.8 * density }
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.fillStyle = theme.around
  context.fillRect(0, 0, width, height)
  context.fillStyle = theme.paper
  context.setTransform(dense.scale, 0, 0, dense.scale, dense.x, dense.y)
  context.fillRect(paper.left, paper.top, paper.right - paper.left, paper.bottom - paper.top)
  if (view.scale > 5) paintGrid(context, theme, dense, width, height, density)
  paint(context, [frame], painting)
  const isIn = (ids: ReadonlySet<string>) => drawn.filter(({ id }) => ids.has(id))
  if (glowing.size > 0) paintGlow(context, isIn(glowing), painting, theme.net, 6 * density)
  if (selected.size > 0) paintGlow(context, isIn(selected), painting, theme.selection, 7 * density)
  paint(context, drawn, painting, (data) => picturesOf(data, overlay.onPicture))
  context.setTransform(density, 0, 0, density, 0, 0)
  paintMarks(context, marks, view, theme)
  if (overlay.box !== undefined) paintBox(context, overlay.box, theme)
  if (overlay.cursor !== undefined) {
    const [x, y] = [overlay.cursor.x * view.scale + view.x, overlay.cursor.y * view.scale + view.y]
    context.strokeStyle = theme.pending
    context.lineWidth = 1.5
    context.beginPath()
    context.moveTo(x - 12, y)
    context.lineTo(x + 12, y)
    context.moveTo(x, y - 12)
    context.lineTo(x, y + 12)
    context.stroke()
  }
}

function paintBox(
  context: CanvasRenderingContext2D,
  { from, to }: { readonly from: Place; readonly to: Place },
  theme: SheetTheme,
): void {
  context.strokeStyle = theme.pending
  context.lineWidth = 1
  // From right to left it takes whatever it touches.
  context.setLineDash(to.x < from.x ? [4, 3] : [])
  context.strokeRect(from.x, from.y, to.x - from.x, to.y - from.y)
  context.globalAlpha = 0.12
  context.fillStyle = theme.pending
  context.fillRect(from.x, from.y, to.x - from.x, to.y - from.y)
  context.globalAlpha = 1
  context.setLineDash([])
}

function paintGrid(
  context: CanvasRenderingContext2D,
  theme: SheetTheme,
  view: View,
  width: number,
  height: number,
  density: number,
): void {
  const step = GRID * (view.scale / density > 12 ? 1 : 2)
  const dot = density / view.scale
  context.fillStyle = theme.grid
  const [left, top] = [-view.x / view.scale, -view.y / view.scale]
  for (let x = Math.ceil(left / step) * step; x * view.scale + view.x < width; x += step)
    for (let y = Math.ceil(top / step) * step; y * view.scale + view.y < height; y += step)
      context.fillRect(x - dot / 2, y - dot / 2, dot, dot)
}
