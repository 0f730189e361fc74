import { Color, type Material, Mesh, type Object3D, Points } from 'three'

export interface PartLooks {
  readonly hidden: ReadonlySet<Object3D>
  /** The only part that is shown. */
  readonly isolated: Object3D | undefined
  readonly selected: Object3D | undefined
}

export const ALL_SHOWN: PartLooks = { hidden: new Set(), isolated: undefined, selected: undefined }

const NOT_DRAWN = 1
const HIGHLIGHT = new Color(0x2f6fed)

/** Shows and hides parts of a model. */
export function applyVisibility(model: Object3D, { hidden, isolated }: PartLooks): void {
  model.traverse((object) => {
    object.visible = !hidden.has(object)
    object.layers.set(0)
  })
  if (isolated === undefined) return
  isolated.visible = true
  for (let at = isolated; at !== model && at.parent !== null; at = at.parent) {
    for (const beside of at.parent.children) if (beside !== at) beside.visible = false
    at.parent.visible = true
    // Not to be seen itself, though what is in it is.
    at.parent.layers.set(NOT_DRAWN)
  }
}

/** The selected part in another color. Parts share materials, so it gets copies of them. */
export class Highlight {
  readonly #originals = new Map<Mesh | Points, Material | Material[]>()
  readonly #copies = new Map<Material, Material>()
  #part: Object3D | undefined

  set(part: Object3D | undefined): void {
    if (part === this.#part) return
    this.clear()
    this.#part = part
    part?.traverse((object) => {
      if (!(object instanceof Mesh || object instanceof Points)) return
      const original = (object as Mesh).material
      this.#originals.set(object, original)
      object.material = Array.isArray(original)
        ? original.map((material) => this.#copy(material))
        : this.#copy(original)
    })
  }

  /** Before a model is given back: what it holds must be its own. */
  clear(): void {
    for (const [object, material] of this.#originals) object.material = material
    for (const copy of this.#copies.values()) copy.dispose()
    this.#originals.clear()
    this.#copies.clear()
    this.#part = undefined
  }

  #copy(material: Material): Material {
    const known = this.#copies.get(material)
    if (known !== undefined) return known
    const copy = material.clone() as Material & { emissive?: Color; color?: Color }
    if (copy.emissive !== undefined) copy.emissive.copy(HIGHLIGHT).multiplyScalar(0.6)
    else copy.color?.copy(HIGHLIGHT)
    this.#copies.set(material, copy)
    return copy
  }
}
