import type { Board, BoardFootprint } from '@patchbay/kicad-format'
import { drawLayer, type Item, itemsOf, type LayerMesh } from './draw-board.ts'
import { MOST_TRIANGLES } from './flat-mesh.ts'

export interface PartChange {
  readonly reference: string
  readonly what: 'added' | 'removed' | 'moved' | 'changed'
}

/** What two versions of a board differ in. */
export interface BoardChanges {
  /** By layer: what is only in the later one, and what is only in the earlier one. */
  readonly added: readonly LayerMesh[]
  readonly removed: readonly LayerMesh[]
  readonly parts: readonly PartChange[]
}

/** Areas that fill zones are left out: they follow from everything else, and one track would change a whole plane. */
export function compareBoards(now: Board, before: Board): BoardChanges {
  const room = { triangles: MOST_TRIANGLES }
  const [later, earlier] = [keyedOf(now), keyedOf(before)]
  const onlyIn = (these: ReturnType<typeof keyedOf>, those: ReturnType<typeof keyedOf>): LayerMesh[] =>
    [...these].flatMap(([name, items]) => {
      const others = those.get(name)
      const own = [...items].flatMap(([key, item]) => (others?.has(key) === true ? [] : item))
      return own.length === 0 ? [] : { name, ...drawLayer(own, room) }
    })
  return { added: onlyIn(later, earlier), removed: onlyIn(earlier, later), parts: partChanges(now, before) }
}

function keyedOf(board: Board): ReadonlyMap<string, ReadonlyMap<string, Item>> {
  return new Map(
    [...itemsOf(board)].map(([layer, items]) => [
      layer,
      new Map(
        items
          .filter(({ isFill }) => isFill !== true)
          .map((item) => [keyOf(item, board.nets[item.net] ?? ''), item]),
      ),
    ]),
  )
}

function keyOf({ path, disc }: Item, net: string): string {
  if (disc !== undefined) return `disc ${disc.x} ${disc.y} ${disc.radius} ${net}`
  return `${path?.width} ${path?.isFilled} ${net} ${path?.points.join(' ')}`
}

function partChanges(now: Board, before: Board): PartChange[] {
  const [later, earlier] = [now, before].map(
    ({ footprints }) => new Map(footprints.map((footprint) => [footprint.reference, footprint])),
  )
  const changes: PartChange[] = []
  for (const [reference, footprint] of later ?? []) {
    const other = earlier?.get(reference)
    const what = other === undefined ? 'added' : differenceOf(footprint, other)
    if (what !== undefined) changes.push({ reference, what })
  }
  for (const reference of earlier?.keys() ?? [])
    if (later?.has(reference) !== true) changes.push({ reference, what: 'removed' })
  return changes
}

function differenceOf(one: BoardFootprint, other: BoardFootprint): 'moved' | 'changed' | undefined {
  if (one.value !== other.value || one.name !== other.name || one.isFitted !== other.isFitted)
    return 'changed'
  const isThere =
    one.at.x === other.at.x && one.at.y === other.at.y && one.angle === other.angle && one.side === other.side
  return isThere ? undefined : 'moved'
}
