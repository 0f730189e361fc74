import { colorsOf } from './theme-colors.ts'

interface MapPlace {
  readonly kind: 'point' | 'anchor'
  readonly id: string
  readonly name: string
  readonly x: number
  readonly y: number
}

interface MapTrack {
  readonly kind: 'track'
  readonly id: string
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

/** A point that moves, an anchor that stays, or where something has been. */
export type MapThing = MapPlace | MapTrack

/** What is in the middle, and how many pixels one unit is. */
export interface MapView {
  readonly x: number
  readonly y: number
  readonly scale: number
}

export interface MapSize {
  readonly width: number
  readonly height: number
}

const MARGIN_PX = 36

export function fitMap(things: readonly MapThing[], { width, height }: MapSize): MapView {
  const all = things.flatMap((thing) =>
    thing.kind === 'track' ? thing.points : [[thing.x, thing.y] as const],
  )
  if (all.length === 0 || width === 0) return { x: 0, y: 0, scale: 40 }
  const bounds = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity }
  for (const [x, y] of all) {
    bounds.left = Math.min(bounds.left, x)
    bounds.right = Math.max(bounds.right, x)
    bounds.bottom = Math.min(bounds.bottom, y)
    bounds.top = Math.max(bounds.top, y)
  }
  const { left, right, bottom, top } = bounds
  // A single point has no extent: it gets one unit around it.
  const extent = Math.max(right - left, top - bottom) || 1
  const [wide, high] = [Math.max(right - left, extent / 1e3), Math.max(top - bottom, extent / 1e3)]
  const room = { width: Math.max(20, width - 2 * MARGIN_PX), height: Math.max(20, height - 2 * MARGIN_PX) }
  return {
    x: (left + right) / 2,
    y: (bottom + top) / 2,
    scale: Math.min(room.width / wide, room.height / high),
  }
}

export function moveMap({ x, y, scale }: MapView, right: number, down: number): MapView {
  return { x: x + right / scale, y: y - down / scale, scale }
}

/** What is under `at` stays there. */
export function zoomMap(
  { x, y, scale }: MapView,
  { width, height }: MapSize,
  factor: number,
  at: { readonly x: number; readonly y: number },
): MapView {
  const next = Math.min(1e6, Math.max(1e-4, scale * factor))
  const [right, up] = [at.x - width / 2, height / 2 - at.y]
  return { x: x + right / scale - right / next, y: y + up / scale - up / next, scale: next }
}

interface Drawing {
  readonly size: MapSize
  readonly unit: string
  /** What is not is drawn hollow. */
  readonly isLive: boolean
}

const TOKENS = {
  ground: '--surface-sunken',
  grid: '--line',
  text: '--text',
  muted: '--text-muted',
  point: '--accent-text',
  anchor: '--info-text',
  track: '--ok-text',
} as const

export function drawMap(
  canvas: HTMLCanvasElement,
  things: readonly MapThing[],
  view: MapView,
  { size, unit, isLive }: Drawing,
): void {
  const paint = canvas.getContext('2d')
  const frame = canvas.parentElement
  if (paint === null || frame === null) return
  const ratio = Math.min(devicePixelRatio, 2)
  canvas.width = size.width * ratio
  canvas.height = size.height * ratio
  paint.scale(ratio, ratio)
  const colors = colorsOf(frame, TOKENS)
  const toX = (x: number) => size.width / 2 + (x - view.x) * view.scale
  const toY = (y: number) => size.height / 2 - (y - view.y) * view.scale
  paint.fillStyle = colors.ground
  paint.fillRect(0, 0, size.width, size.height)
  paint.font = `12px ${getComputedStyle(frame).fontFamily}`
  paint.lineJoin = 'round'

  const step = roundStep(70 / view.scale)
  paint.strokeStyle = colors.grid
  paint.lineWidth = 1
  paint.beginPath()
  const left = view.x - size.width / 2 / view.scale
  const bottom = view.y - size.height / 2 / view.scale
  for (let x = Math.ceil(left / step) * step; toX(x) < size.width; x += step) {
    paint.moveTo(Math.round(toX(x)) + 0.5, 0)
    paint.lineTo(Math.round(toX(x)) + 0.5, size.height)
  }
  for (let y = Math.ceil(bottom / step) * step; toY(y) > 0; y += step) {
    paint.moveTo(0, Math.round(toY(y)) + 0.5)
    paint.lineTo(size.width, Math.round(toY(y)) + 0.5)
  }
  paint.stroke()

  const label = (name: string, x: number, y: number) => {
    const width = paint.measureText(name).width
    // To the left where the right is over.
    const isLeft = x + 10 + width > size.width && x - 10 - width > 0
    paint.fillStyle = colors.text
    paint.strokeStyle = colors.ground
    paint.lineWidth = 3
    const from = isLeft ? x - 10 - width : x + 10
    paint.strokeText(name, from, y + 4)
    paint.fillText(name, from, y + 4)
  }
  for (const thing of things) {
    if (thing.kind === 'track') {
      paint.strokeStyle = colors.track
      paint.lineWidth = 2
      paint.setLineDash(isLive ? [] : [4, 4])
      paint.beginPath()
      for (const [x, y] of thing.points) paint.lineTo(toX(x), toY(y))
      paint.stroke()
      paint.setLineDash([])
    } else {
      const [x, y] = [toX(thing.x), toY(thing.y)]
      paint.beginPath()
      if (thing.kind === 'anchor') {
        paint.moveTo(x, y - 7)
        paint.lineTo(x + 7, y + 5)
        paint.lineTo(x - 7, y + 5)
        paint.closePath()
      } else paint.arc(x, y, 6, 0, Math.PI * 2)
      paint.lineWidth = 2
      paint.fillStyle = isLive ? colors[thing.kind] : colors.ground
      paint.strokeStyle = isLive ? colors.ground : colors.muted
      paint.fill()
      paint.stroke()
      label(thing.name, x, y)
    }
  }

  const length = step * view.scale
  paint.strokeStyle = colors.text
  paint.fillStyle = colors.text
  paint.lineWidth = 2
  paint.beginPath()
  paint.moveTo(10, size.height - 14)
  paint.lineTo(10, size.height - 10)
  paint.lineTo(10 + length, size.height - 10)
  paint.lineTo(10 + length, size.height - 14)
  paint.stroke()
  paint.fillText(`${Number(step.toPrecision(3))} ${unit}`, 14, size.height - 16)
}

/** 1, 2 or 5 times a power of ten, at least as large. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = least / power
  return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10)
}
