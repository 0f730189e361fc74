import {
  type Document,
  insertChild,
  isList,
  type List,
  type Node,
  removeChild,
  replaceChild,
  textIn,
  valuesOf,
  withRoot,
  writeNode,
} from '@patchbay/kicad-format'

/**
 * Makes of `document` what leads from one of its versions to another: to undo a change that others have built on since.
 * `undefined` where somebody has changed the same items. Of the very version that it leads from it makes the other, byte for byte.
 */
export function revert(document: Document, from: Document, to: Document): Document | undefined {
  if (document === from) return to
  const [root, before, after] = [document.roots[0], from.roots[0], to.roots[0]]
  if (root === undefined || before === undefined || after === undefined) return undefined
  const reverted = revertList(root, before, after)
  return reverted === undefined ? undefined : withRoot(document, reverted)
}

/** In KiCad 6 the root says for each place of the hierarchy what is there. */
const LISTS_OF_PATHS = ['symbol_instances', 'sheet_instances']

/** What a child is told by from others; `undefined` for what no change of ours touches. */
function keyOf(child: Node): string | undefined {
  if (!isList(child)) return undefined
  if (child.head === 'path') return `path ${valuesOf(child)[0] ?? ''}`
  if (LISTS_OF_PATHS.includes(child.head)) return child.head
  const id = textIn(child, 'uuid')
  return id === undefined ? undefined : `uuid ${id}`
}

interface Keyed {
  readonly node: List
  readonly at: number
}

function keyed(list: List): Map<string, Keyed> {
  const all = new Map<string, Keyed>()
  for (const [at, node] of list.children.entries()) {
    const key = keyOf(node)
    if (key !== undefined && isList(node)) all.set(key, { node, at })
  }
  return all
}

const isSame = (one: List | undefined, other: List | undefined) =>
  one === other || (one !== undefined && other !== undefined && writeNode(one) === writeNode(other))

function revertList(list: List, from: List, to: List): List | undefined {
  const [before, after] = [keyed(from), keyed(to)]
  let now = list
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [old, wanted] = [before.get(key), after.get(key)]
    if (isSame(old?.node, wanted?.node)) continue
    const found = keyed(now).get(key)
    if (LISTS_OF_PATHS.includes(key)) {
      if (found === undefined || old === undefined || wanted === undefined) return undefined
      const inner = revertList(found.node, old.node, wanted.node)
      if (inner === undefined) return undefined
      now = replaceChild(now, found.at, inner)
    } else {
      if (!isSame(found?.node, old?.node)) return undefined
      if (wanted === undefined) now = found === undefined ? now : removeChild(now, found.at)
      else if (found !== undefined) now = replaceChild(now, found.at, wanted.node)
      else now = putBack(now, to, wanted)
    }
  }
  return now
}

/** Behind what it stood behind, if that is still there, or at the end of its kind. */
function putBack(list: List, to: List, { node, at }: Keyed): List {
  const gap = to.gaps[at] ?? '\n'
  const places = keyed(list)
  for (let index = at - 1; index >= 0; index -= 1) {
    const neighbor = to.children[index]
    const key = neighbor === undefined ? undefined : keyOf(neighbor)
    const found = key === undefined ? undefined : places.get(key)
    if (found !== undefined && found.node.head === node.head)
      return insertChild(list, found.at + 1, node, gap)
    if (found !== undefined) break
  }
  const last = list.children.findLastIndex((child) => isList(child, node.head))
  return insertChild(list, last === -1 ? Math.max(1, list.children.length) : last + 1, node, gap)
}
