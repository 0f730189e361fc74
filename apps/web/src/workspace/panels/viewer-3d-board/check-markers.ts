import type { BoardViolation } from '@patchbay/contracts/boards'
import { BufferAttribute, BufferGeometry, CanvasTexture, Group, Points, PointsMaterial } from 'three'

const COLORS = { error: 0xe5383b, warning: 0xf2a20c } as const
const SELECTED = 0x2f6fed
const PIXELS = 64

/** Marks where rules are broken, over everything, at the height of the board's top. */
export class CheckMarkers {
  readonly object = new Group()
  readonly #dot = dot()

  set(violations: readonly BoardViolation[], selected: number | undefined, height: number): void {
    this.clear()
    for (const severity of ['warning', 'error'] as const)
      this.#add(
        violations.filter((one, at) => one.severity === severity && at !== selected),
        { color: COLORS[severity], size: 11, height },
      )
    const chosen = selected === undefined ? undefined : violations[selected]
    if (chosen !== undefined) this.#add([chosen], { color: SELECTED, size: 18, height })
  }

  clear(): void {
    for (const child of this.object.children.slice()) {
      child.removeFromParent()
      if (!(child instanceof Points)) continue
      ;(child as Points<BufferGeometry, PointsMaterial>).geometry.dispose()
      ;(child as Points<BufferGeometry, PointsMaterial>).material.dispose()
    }
  }

  #add(
    violations: readonly BoardViolation[],
    { color, size, height }: { readonly color: number; readonly size: number; readonly height: number },
  ): void {
    const places = violations.flatMap(({ items }) => items.flatMap(({ x, y }) => [x, height, y]))
    if (places.length === 0) return
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from(places), 3))
    const material = new PointsMaterial({
      color,
      size,
      map: this.#dot,
      sizeAttenuation: false,
      transparent: true,
      alphaTest: 0.3,
      depthTest: false,
      depthWrite: false,
    })
    const points = new Points(geometry, material)
    points.renderOrder = 4
    points.raycast = () => {}
    this.object.add(points)
  }
}

function dot(): CanvasTexture {
  const canvas = document.createElement('canvas')
  canvas.width = PIXELS
  canvas.height = PIXELS
  const context = canvas.getContext('2d')
  if (context !== null) {
    context.fillStyle = '#ffffff'
    context.arc(PIXELS / 2, PIXELS / 2, PIXELS / 2 - 2, 0, 2 * Math.PI)
    context.fill()
  }
  return new CanvasTexture(canvas)
}
