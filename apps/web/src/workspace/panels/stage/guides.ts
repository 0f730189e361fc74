import { AxesHelper, Box3, GridHelper, type Object3D, type Scene, Vector3 } from 'three'

const GRAY = 0x808080

/** The grid that a model stands on, and its axes. */
export class Guides {
  #grid = new GridHelper()
  #axes = new AxesHelper()
  readonly #scene: Scene

  constructor(scene: Scene) {
    this.#scene = scene
    this.surround(undefined)
  }

  /** As large as the model needs, with lines at round lengths. */
  surround(model: Object3D | undefined, isZUp = false): void {
    this.dispose()
    const box = model === undefined ? new Box3() : new Box3().setFromObject(model)
    const size = box.isEmpty() ? new Vector3(1, 1, 1) : box.getSize(new Vector3())
    const center = box.isEmpty() ? new Vector3() : box.getCenter(new Vector3())
    const extent = Math.max(size.x, size.y, size.z) || 1
    const step = 10 ** Math.round(Math.log10(extent / 4))
    const lines = Math.ceil((extent * 1.5) / step) * 2
    this.#grid = new GridHelper(lines * step, lines, GRAY, GRAY)
    this.#grid.material.transparent = true
    this.#grid.material.opacity = 0.35
    this.#grid.position.set(center.x, box.isEmpty() ? 0 : box.min.y, center.z)
    this.#axes = new AxesHelper(extent)
    // Those of the file: they are what its lengths are measured along.
    if (isZUp) this.#axes.rotation.x = -Math.PI / 2
    this.#scene.add(this.#grid, this.#axes)
  }

  set(hasGrid: boolean, hasAxes: boolean): void {
    this.#grid.visible = hasGrid
    this.#axes.visible = hasAxes
  }

  dispose(): void {
    for (const guide of [this.#grid, this.#axes]) {
      guide.removeFromParent()
      guide.dispose()
    }
  }
}
