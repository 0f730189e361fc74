import { type Document, readSchematic, type SchematicChange } from '@patchbay/kicad-format'

let given = 0
/** An id that nothing else has. */
export function newId(): string {
  given += 1
  return `2b000000-0000-4000-8000-${String(given).padStart(12, '0')}`
}

/** Numbers that look random and are the same in every run. */
export function chance(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}

/** What somebody could do to a sheet. */
export function anyChange(document: Document, next: (below: number) => number): SchematicChange {
  const items = readSchematic(document)?.items ?? []
  const item = items[next(items.length)]
  const ids = item === undefined ? [] : [item.id]
  const place = () => ({ x: next(100) * 1_270_000, y: next(80) * 1_270_000 })
  switch (next(8)) {
    case 0:
      return { type: 'move', ids, by: { x: (next(5) - 2) * 1_270_000, y: (next(5) - 2) * 1_270_000 } }
    case 1:
      return { type: 'rotate', ids, about: place(), turns: 1 }
    case 2:
      return { type: 'mirror', ids, about: place(), axis: next(2) === 0 ? 'x' : 'y' }
    case 3:
      return { type: 'delete', ids }
    case 4:
      return { type: 'addLine', kind: 'wire', id: newId(), from: place(), to: place() }
    case 5:
      return {
        type: 'addLabel',
        kind: 'label',
        id: newId(),
        text: `N${next(9)}`,
        at: place(),
        angle: 90 * next(4),
      }
    case 6:
      return { type: 'setProperty', id: ids[0] ?? '', name: 'Value', value: `v${next(99)} "😀"` }
    default:
      return { type: 'addMark', kind: 'junction', id: newId(), at: place() }
  }
}
