import {
  BufferGeometry,
  Line,
  LineBasicMaterial,
  Points,
  PointsMaterial,
  type Scene,
  type Vector3,
} from 'three'

const COLOR = 0xd6336c
// Over everything: the way between two points often leads through the model.
const OVER = { color: COLOR, depthTest: false, depthWrite: false, transparent: true } as const

/** The points that somebody measures between, and the line between them. */
export class RulerLine {
  readonly #line = new Line(new BufferGeometry(), new LineBasicMaterial(OVER))
  readonly #points = new Points(
    new BufferGeometry(),
    new PointsMaterial({ ...OVER, size: 8, sizeAttenuation: false }),
  )

  constructor(scene: Scene) {
    for (const drawn of [this.#line, this.#points]) {
      drawn.renderOrder = 1
      drawn.frustumCulled = false
      drawn.visible = false
      scene.add(drawn)
    }
  }

  set(points: readonly Vector3[]): void {
    for (const drawn of [this.#line, this.#points]) {
      drawn.geometry.dispose()
      drawn.geometry = new BufferGeometry().setFromPoints([...points])
      drawn.visible = points.length > 0
    }
  }

  dispose(): void {
    for (const drawn of [this.#line, this.#points]) {
      drawn.removeFromParent()
      drawn.geometry.dispose()
      drawn.material.dispose()
    }
  }
}
