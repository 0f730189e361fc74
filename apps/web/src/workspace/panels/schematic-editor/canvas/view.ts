import type { Box, Place } from '../drawing/shapes.ts'
import type { View } from './paint.ts'

const LEAST_SCALE = 0.05
const MOST_SCALE = 400

export function toSheet({ scale, x, y }: View, at: Place): Place {
  return { x: (at.x - x) / scale, y: (at.y - y) / scale }
}

export function toPixels({ scale, x, y }: View, at: Place): Place {
  return { x: at.x * scale + x, y: at.y * scale + y }
}

/** What is under this point stays there. */
export function zoomAt({ scale, x, y }: View, at: Place, factor: number): View {
  const next = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, scale * factor))
  const by = next / scale
  return { scale: next, x: at.x - (at.x - x) * by, y: at.y - (at.y - y) * by }
}

export function panBy({ scale, x, y }: View, dx: number, dy: number): View {
  return { scale, x: x + dx, y: y + dy }
}

/** So that all of the box is seen, with a little around it. */
export function fitTo({ left, top, right, bottom }: Box, width: number, height: number, margin = 0.04): View {
  const [wide, high] = [Math.max(right - left, 1e-3), Math.max(bottom - top, 1e-3)]
  const scale = Math.min(
    MOST_SCALE,
    Math.max(LEAST_SCALE, Math.min(width / wide, height / high) * (1 - 2 * margin)),
  )
  return {
    scale,
    x: width / 2 - ((left + right) / 2) * scale,
    y: height / 2 - ((top + bottom) / 2) * scale,
  }
}
