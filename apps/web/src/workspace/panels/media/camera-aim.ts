/** A part of a picture: its left upper corner and its size, in shares of the picture. */
export interface Region {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Where a camera looks. Degrees, right and up positive; zoom 1 is the widest. */
export interface Aim {
  readonly pan: number
  readonly tilt: number
  readonly zoom: number
}

/** How much the wide picture shows, in degrees. */
export interface View {
  readonly width: number
  readonly height: number
}

export const USUAL_VIEW: View = { width: 60, height: 34 }
/** Smaller ones nobody hits with a finger. */
const SMALLEST_REGION = 0.05
export const FIRST_REGION: Region = { x: 0.35, y: 0.35, width: 0.3, height: 0.3 }

/** The camera that zooms stands beside the wide one and looks the same way when it is at zero. */
export function aimAt({ x, y, width, height }: Region, view: View): Aim {
  return {
    pan: rounded((x + width / 2 - 0.5) * view.width),
    tilt: rounded((0.5 - y - height / 2) * view.height),
    // All of the region has to be in the picture.
    zoom: rounded(Math.max(1, 1 / Math.max(width, height))),
  }
}

/** What the camera sees of the wide picture, as far as that is in it. */
export function regionOf({ pan, tilt, zoom }: Aim, view: View): Region | undefined {
  const size = 1 / Math.max(1, zoom)
  const left = pan / view.width + 0.5 - size / 2
  const top = 0.5 - tilt / view.height - size / 2
  const x = Math.max(0, left)
  const y = Math.max(0, top)
  const width = Math.min(1, left + size) - x
  const height = Math.min(1, top + size) - y
  return width <= 0 || height <= 0 ? undefined : { x, y, width, height }
}

/** Between two corners, whichever was first; of a size that can be seen, and inside of the picture. */
export function regionBetween(
  from: { readonly x: number; readonly y: number },
  to: { readonly x: number; readonly y: number },
): Region {
  return inside({
    x: Math.min(from.x, to.x),
    y: Math.min(from.y, to.y),
    width: Math.abs(from.x - to.x),
    height: Math.abs(from.y - to.y),
  })
}

export function inside(region: Region): Region {
  const width = within(region.width, SMALLEST_REGION, 1)
  const height = within(region.height, SMALLEST_REGION, 1)
  return {
    x: share(within(region.x, 0, 1 - width)),
    y: share(within(region.y, 0, 1 - height)),
    width: share(width),
    height: share(height),
  }
}

const STEP = 0.02
/** What keys do to a region: arrows move it, plus and minus change its size around its middle. */
export function regionAfterKey(region: Region, key: string): Region | undefined {
  const grown = (by: number) => ({
    x: region.x - by / 2,
    y: region.y - by / 2,
    width: region.width + by,
    height: region.height + by,
  })
  switch (key) {
    case 'ArrowLeft':
      return inside({ ...region, x: region.x - STEP })
    case 'ArrowRight':
      return inside({ ...region, x: region.x + STEP })
    case 'ArrowUp':
      return inside({ ...region, y: region.y - STEP })
    case 'ArrowDown':
      return inside({ ...region, y: region.y + STEP })
    case '+':
    case '=':
      return inside(grown(STEP * 2))
    case '-':
      return inside(grown(-STEP * 2))
    default:
      return undefined
  }
}

/** The part of the element in which a picture is that shows whole: the rest is margin. */
export function pictureBox(
  element: { readonly width: number; readonly height: number },
  picture: { readonly width: number; readonly height: number } | undefined,
): Region {
  if (picture === undefined || picture.width === 0 || element.width === 0)
    return { x: 0, y: 0, width: 1, height: 1 }
  const scale = Math.min(element.width / picture.width, element.height / picture.height)
  const width = (picture.width * scale) / element.width
  const height = (picture.height * scale) / element.height
  return { x: (1 - width) / 2, y: (1 - height) / 2, width, height }
}

export function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

const rounded = (value: number) => Math.round(value * 10) / 10 || 0
const share = (value: number) => Math.round(value * 1_000) / 1_000
