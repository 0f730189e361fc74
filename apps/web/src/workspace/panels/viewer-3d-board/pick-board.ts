import { Vector3 } from 'three'
import type { Picked } from '../stage/pick-point.ts'
import type { BoardObject } from './board-object.ts'
import type { BoardScene } from './drawing/draw-board.ts'
import { findUnder, type Spot } from './find-under.ts'

/** The names of what a press on a board takes. */
export interface PickedNames {
  readonly selected: string | undefined
  readonly net: string | undefined
}

/** Where a point of the view is on the board. */
function spotOf({ thickness }: BoardScene, { x, y, z }: Vector3): Spot {
  return { x: x * 1000, y: z * 1000, side: y * 1000 > thickness / 2 ? 'front' : 'back' }
}

/** What was pressed: a part, a pad with its net, copper, or nothing. */
export function namesAt(
  scene: BoardScene,
  model: BoardObject,
  picked: Picked | undefined,
  layers: ReadonlySet<string>,
): PickedNames {
  if (picked === undefined) return { selected: undefined, net: undefined }
  const reference = model.referenceOf(picked.object)
  if (reference !== undefined) return { selected: reference, net: undefined }
  const found = findUnder(scene, spotOf(scene, picked.exact), layers)
  const part = found.footprint === undefined ? undefined : scene.footprints[found.footprint]
  return {
    selected: part?.reference || undefined,
    net: found.net === undefined ? undefined : scene.nets[found.net]?.name || undefined,
  }
}

/** People measure from pad to pad. */
export function middleOfPad(scene: BoardScene, point: Vector3): Vector3 | undefined {
  const { footprint, pad } = findUnder(scene, spotOf(scene, point), new Set())
  const found =
    footprint === undefined || pad === undefined ? undefined : scene.footprints[footprint]?.pads[pad]
  if (found === undefined) return undefined
  const middle = new Vector3(found.at.x / 1e9, point.y, found.at.y / 1e9)
  return middle.distanceTo(point) <= Math.min(found.size.x, found.size.y) / 2e9 ? middle : undefined
}

function placeOf<One>(list: readonly One[] | undefined, isIt: (one: One) => boolean): number | undefined {
  const at = list?.findIndex(isIt) ?? -1
  return at === -1 ? undefined : at
}

/** What is selected and highlighted, as places in the lists of a board. */
export function placesIn(
  scene: BoardScene | undefined,
  { selected, net }: { readonly selected?: string | undefined; readonly net?: string | undefined },
): { readonly selected: number | undefined; readonly net: number | undefined } {
  return {
    selected: placeOf(scene?.footprints, ({ reference }) => reference === selected),
    net: placeOf(scene?.nets, ({ name }) => name !== '' && name === net),
  }
}

export function hiddenIn(scene: BoardScene, names: readonly string[]): ReadonlySet<number> {
  const hidden = new Set(names)
  return new Set(scene.nets.flatMap(({ name }, at) => (hidden.has(name) ? [at] : [])))
}
