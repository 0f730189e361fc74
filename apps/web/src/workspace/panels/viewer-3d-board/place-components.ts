import { Box3, Group, type Object3D } from 'three'
import { disposeModel } from '../stage/dispose-model.ts'
import type { BoardScene } from './drawing/draw-board.ts'

export interface PlacedComponents {
  readonly object: Object3D
  /** By reference. */
  readonly parts: ReadonlyMap<string, Object3D>
}

/**
 * The components of a board that KiCad has exported, without the body, which is drawn here. KiCad names each by its
 * reference, puts it where our board has it, and stands it on a body that may be thinner by its copper and mask.
 */
export function placeComponents(exported: Object3D, { footprints, thickness }: BoardScene): PlacedComponents {
  const sides = new Map(footprints.map(({ reference, side }) => [reference, side]))
  const root = rootOf(exported)
  const parts = new Map<string, Object3D>()
  const object = new Group()
  // In an object whose unit is a millimeter.
  object.scale.setScalar(1_000)
  let body = new Box3()
  for (const child of root.children.slice()) {
    const reference = referenceIn(child)
    const side = sides.get(reference)
    if (side === undefined) {
      const box = new Box3().setFromObject(child)
      if (body.isEmpty() || box.max.x - box.min.x > body.max.x - body.min.x) body = box
      disposeModel(child)
      continue
    }
    const part = parts.get(reference) ?? new Group()
    part.name = reference
    part.add(child)
    parts.set(reference, part)
    object.add(part)
  }
  const [top, bottom] = body.isEmpty() ? [0, 0] : [thickness / 1_000 - body.max.y, -body.min.y]
  for (const [reference, part] of parts) part.position.y = sides.get(reference) === 'back' ? bottom : top
  return { object, parts }
}

/** Around everything there may be groups of one thing. */
function rootOf(exported: Object3D): Object3D {
  let at = exported
  for (let depth = 0; depth < 8 && at.children.length === 1 && at.children[0] !== undefined; depth += 1) {
    const [only] = at.children
    if (only.children.length === 0) break
    at = only
  }
  return at
}

/** The reader of glTF keeps the name as it was beside the one that it needs itself. */
function referenceIn({ name, userData }: Object3D): string {
  const original: unknown = userData['name']
  return typeof original === 'string' && original !== '' ? original : name
}
