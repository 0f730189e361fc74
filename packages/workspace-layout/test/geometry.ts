import type { Layout, LayoutNode } from '../src/index.ts'

export interface Rectangle {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Where each leaf stands, in a workspace that is 1 wide and 1 high. */
export function rectanglesOf(layout: Layout): Map<string, Rectangle> {
  return new Map(place(layout.root, { left: 0, top: 0, width: 1, height: 1 }))
}

function place(node: LayoutNode, room: Rectangle): [string, Rectangle][] {
  if (node.type === 'leaf') return [[node.id, room]]
  let offset = 0
  return node.children.flatMap((child, at) => {
    const size = node.sizes[at] ?? 0
    const part =
      node.direction === 'row'
        ? { ...room, left: room.left + offset * room.width, width: size * room.width }
        : { ...room, top: room.top + offset * room.height, height: size * room.height }
    offset += size
    return place(child, part)
  })
}
