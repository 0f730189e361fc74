import type { Document, Node } from '../tree/node.ts'
import { write, writeNode } from '../tree/write.ts'

/** So many characters from there on become this text. Places are those of the text before all edits. */
export interface TextEdit {
  readonly at: number
  readonly length: number
  readonly text: string
}

/**
 * What a change has made of the text, as few edits: for a text that others edit at the same time. Undoing is
 * `textEdits(after, before)`. What both documents share is not looked at.
 */
export function textEdits(before: Document, after: Document): TextEdit[] {
  const [one, other] = [before.roots[0], after.roots[0]]
  if (one === other) return []
  if (one === undefined || other === undefined || before.gaps.some((gap, at) => gap !== after.gaps[at]))
    return [{ at: 0, length: write(before).length, text: write(after) }]
  const edits: TextEdit[] = []
  compare(one, other, (before.gaps[0] ?? '').length, edits)
  return edits
}

function compare(one: Node, other: Node, start: number, edits: TextEdit[]): void {
  if (one === other) return
  if (
    one.kind === 'atom' ||
    other.kind === 'atom' ||
    one.children.length !== other.children.length ||
    one.isUnopened !== other.isUnopened
  ) {
    compareWhole(one, other, start, edits)
    return
  }
  let at = start + (one.isUnopened ? 0 : 1)
  for (const [index, child] of one.children.entries()) {
    const [gap = '', otherGap = ''] = [one.gaps[index], other.gaps[index]]
    if (gap !== otherGap) edits.push({ at, length: gap.length, text: otherGap })
    at += gap.length
    const twin = other.children[index]
    if (twin !== undefined) compare(child, twin, at, edits)
    at += writeNode(child).length
  }
  const [gap = '', otherGap = ''] = [one.gaps.at(-1), other.gaps.at(-1)]
  if (gap !== otherGap) edits.push({ at, length: gap.length, text: otherGap })
}

/** What differs between the beginning and the end that both have. */
function compareWhole(one: Node, other: Node, start: number, edits: TextEdit[]): void {
  const [before, after] = [writeNode(one), writeNode(other)]
  if (before === after) return
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  edits.push({
    at: start + head,
    length: before.length - head - tail,
    text: after.slice(head, after.length - tail),
  })
}
