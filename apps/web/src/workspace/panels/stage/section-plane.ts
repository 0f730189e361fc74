import type { Viewer3dState } from '@patchbay/contracts/panels'
import { Box3, DoubleSide, type Material, type Object3D, Plane, type Side, Vector3 } from 'three'
import { fromFileAxes } from './file-axes.ts'

export type Section = NonNullable<Viewer3dState['section']>

export const FIRST_SECTION: Section = { axis: 'x', position: 0.5 }

/** The plane that cuts a model open; what it keeps is on the side of its normal. */
export function sectionPlane(model: Object3D, section: Section, isZUp: boolean): Plane {
  const { axis, position, isFlipped = false } = section
  const along = fromFileAxes(new Vector3()[axis === 'x' ? 'setX' : axis === 'y' ? 'setY' : 'setZ'](1), isZUp)
  const box = new Box3().setFromObject(model)
  const [one, other] = [box.min.dot(along), box.max.dot(along)]
  const [low, high] = [Math.min(one, other), Math.max(one, other)]
  // A little beyond both ends: a plane in a face of the model would flicker.
  const margin = (high - low) * 0.001
  const at = low - margin + (high - low + 2 * margin) * position
  return isFlipped ? new Plane(along, -at) : new Plane(along.negate(), at)
}

/** A cut shows the insides of a model: faces have two sides then. */
export class SectionCut {
  readonly #sides = new WeakMap<Material, Side>()

  apply(materials: readonly Material[], plane: Plane | undefined): void {
    for (const material of materials) {
      if (!this.#sides.has(material)) this.#sides.set(material, material.side)
      const side = plane === undefined ? this.#sides.get(material) : DoubleSide
      if (side !== undefined && side !== material.side) {
        material.side = side
        material.needsUpdate = true
      }
      material.clippingPlanes = plane === undefined ? null : [plane]
    }
  }
}
