import { createList, type Document, type List, type Node } from './node.ts'

/** Another child in the place of one. White space stays. */
export function replaceChild(list: List, at: number, child: Node): List {
  if (list.children[at] === child) return list
  return createList(list.children.with(at, child), list.gaps)
}

/** `gap`: the white space in front of the new child. */
export function insertChild(list: List, at: number, child: Node, gap: string): List {
  return createList(list.children.toSpliced(at, 0, child), list.gaps.toSpliced(at, 0, gap))
}

/** Takes a child out with the white space beside it. A blank line between groups and comments stay. */
export function removeChild(list: List, at: number): List {
  const [before = '', after = ''] = [list.gaps[at], list.gaps[at + 1]]
  const isLast = at === list.children.length - 1
  return createList(
    list.children.toSpliced(at, 1),
    list.gaps.toSpliced(at, 2, joinGaps(before, after, isLast)),
  )
}

function joinGaps(before: string, after: string, isLast: boolean): string {
  const isComment = (gap: string) => /\S/.test(gap)
  if (isComment(before)) return isComment(after) || isLast ? before + after : before
  if (isComment(after) || isLast) return after
  const lines = (gap: string) => gap.split('\n').length
  return lines(before) > lines(after) ? before : after
}

/** Without the children for which `isWanted` says no; the very list if there are none. */
export function keepChildren(list: List, isWanted: (child: Node) => boolean): List {
  let kept = list
  for (let at = list.children.length - 1; at >= 0; at--) {
    const child = list.children[at]
    if (child !== undefined && !isWanted(child)) kept = removeChild(kept, at)
  }
  return kept
}

/** Another root; the very document if it is the same. */
export function withRoot(document: Document, root: List): Document {
  return document.roots[0] === root ? document : { ...document, roots: document.roots.with(0, root) }
}
