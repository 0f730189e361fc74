import { MODEL_PARTS } from '@patchbay/contracts/panels'
import { stripHidden } from '@patchbay/primitives/text'
import { Line, Mesh, type Object3D, Points } from 'three'
import { words } from './words.ts'

/** More than anybody looks through; what is beyond them is shown in the view, and not listed. */
const MOST_LISTED = 5_000
const DEEPEST = 20

export interface Part {
  /** The places of it and of what is around it, such as `0/2`: folders of the tree. */
  readonly path: string
  /** What it is called in the list and in the panel's state. No other part is. */
  readonly name: string
  readonly object: Object3D
  readonly children: readonly Part[]
  /** It and those in it. */
  readonly count: number
}

export interface PartTree {
  readonly parts: readonly Part[]
  readonly byName: ReadonlyMap<string, Part>
  readonly byPath: ReadonlyMap<string, Part>
  /** Whether there are more parts than are listed. */
  readonly isCut: boolean
}

/** The parts of a model, as its file has them. A group around a single thing that nobody has named is none. */
export function partTree(model: Object3D): PartTree {
  const filled = filledObjects(model)
  const byName = new Map<string, Part>()
  const byPath = new Map<string, Part>()
  const nextNumber = new Map<string, number>()
  const taken = new Set<string>()
  let listed = 0
  let isCut = false

  const uniqueName = (wanted: string): string => {
    let number = nextNumber.get(wanted) ?? 1
    let name = number === 1 ? wanted : numbered(wanted, number)
    while (taken.has(name)) {
      number += 1
      name = numbered(wanted, number)
    }
    nextNumber.set(wanted, number + 1)
    taken.add(name)
    return name
  }
  const partsIn = ({ children }: Pick<Object3D, 'children'>, around: string, level: number): Part[] => {
    const parts: Part[] = []
    const inside = children.filter((child) => filled.has(child)).map((child) => unwrapped(child, filled))
    if (inside.length > 0 && level > DEEPEST) isCut = true
    for (const child of level > DEEPEST ? [] : inside) {
      if (listed >= MOST_LISTED) {
        isCut = true
        break
      }
      listed += 1
      const path = `${around}${parts.length}`
      const name = uniqueName(nameOf(child) || words.parts.unnamed)
      const below = partsIn(child, `${path}/`, level + 1)
      const count = below.reduce((sum, part) => sum + part.count, 1)
      const part = { path, name, object: child, children: below, count }
      parts.push(part)
      byName.set(name, part)
      byPath.set(path, part)
    }
    return parts
  }
  const top = unwrapped(model, filled)
  // A model that is one thing is a list of one.
  const parts = isDrawn(top) ? partsIn({ children: [top] }, '', 1) : partsIn(top, '', 1)
  return { parts, byName, byPath, isCut }
}

const numbered = (name: string, number: number) => {
  const suffix = ` (${number})`
  return name.slice(0, MODEL_PARTS.nameLength - suffix.length) + suffix
}

/** A stranger's text. The reader of glTF keeps the name as it was beside the one that it needs itself. */
function nameOf({ name, userData }: Object3D): string {
  const original: unknown = userData['name']
  const given = typeof original === 'string' && original !== '' ? original : name
  return stripHidden(given.slice(0, MODEL_PARTS.nameLength)).trim()
}

const isDrawn = (object: Object3D) =>
  object instanceof Mesh || object instanceof Points || object instanceof Line

/** Everything that is drawn or holds something that is. */
function filledObjects(model: Object3D): ReadonlySet<Object3D> {
  const filled = new Set<Object3D>()
  model.traverse((object) => {
    if (!isDrawn(object)) return
    for (let at: Object3D | null = object; at !== null && !filled.has(at); at = at.parent) filled.add(at)
  })
  return filled
}

function unwrapped(object: Object3D, filled: ReadonlySet<Object3D>): Object3D {
  let at = object
  for (;;) {
    const inside = at.children.filter((child) => filled.has(child))
    const [only] = inside
    if (isDrawn(at) || nameOf(at) !== '' || inside.length !== 1 || only === undefined) return at
    at = only
  }
}

/** A row of the list, as the tree pattern needs it. */
export interface PartRow {
  readonly path: string
  readonly name: string
  readonly kind: 'folder' | 'file'
  readonly part: Part
  readonly isExpanded: boolean
  readonly level: number
  readonly position: number
  readonly setSize: number
}

/** From top to bottom, with only what is in open groups. */
export function partRows(
  { parts }: Pick<PartTree, 'parts'>,
  expanded: ReadonlySet<string>,
): readonly PartRow[] {
  const rows: PartRow[] = []
  const add = (siblings: readonly Part[], level: number): void => {
    for (const [index, part] of siblings.entries()) {
      const { path, name, children } = part
      const isExpanded = children.length > 0 && expanded.has(path)
      const kind = children.length > 0 ? 'folder' : 'file'
      rows.push({ path, name, kind, part, isExpanded, level, position: index + 1, setSize: siblings.length })
      if (isExpanded) add(children, level + 1)
    }
  }
  add(parts, 1)
  return rows
}

/** The innermost part that holds an object of the model. */
export function partOf({ byPath }: PartTree, object: Object3D): Part | undefined {
  const parts = new Map([...byPath.values()].map((part) => [part.object, part]))
  for (let at: Object3D | null = object; at !== null; at = at.parent) {
    const part = parts.get(at)
    if (part !== undefined) return part
  }
  return undefined
}

/** `0` and `0/2` for `0/2/1`. */
export function pathsAround(path: string): string[] {
  const places = path.split('/')
  return places.slice(0, -1).map((_, index) => places.slice(0, index + 1).join('/'))
}
