import type { Layout, LayoutNode, Leaf, Split } from '@patchbay/workspace-layout'

/** Ids that can be told apart when a test fails: `tab(1)`, `leaf(2)`. */
const id = (kind: number, number: number) =>
  `0000000${kind}-0000-4000-8000-${String(number).padStart(12, '0')}`
export const tabId = (number: number) => id(1, number)
export const leafId = (number: number) => id(2, number)
export const splitId = (number: number) => id(3, number)
export const panelId = (number: number) => `patchbay/${id(4, number)}`

export const tab = (number: number, panel = number) => ({
  id: tabId(number),
  panel: panelId(panel),
  title: `Tab ${number}`,
})

/** A leaf with these tabs, of which the first is active. */
export function leaf(number: number, ...tabs: readonly number[]): Leaf {
  const [first] = tabs
  return {
    type: 'leaf',
    id: leafId(number),
    tabs: tabs.map((each) => tab(each)),
    activeTabId: first === undefined ? null : tabId(first),
  }
}

export function split(
  number: number,
  direction: Split['direction'],
  sizes: readonly number[],
  ...children: readonly LayoutNode[]
): Split {
  return { type: 'split', id: splitId(number), direction, sizes, children }
}

export const layoutOf = (root: LayoutNode): Layout => ({ root })

/** What it looks like, in short: `row(1 2* | 3*)`. */
export function drawn({ root }: Layout): string {
  const draw = (node: LayoutNode): string =>
    node.type === 'leaf'
      ? node.tabs.map((each) => each.title.slice(4) + (each.id === node.activeTabId ? '*' : '')).join(' ')
      : `${node.direction}(${node.children.map(draw).join(' | ')})`
  return draw(root)
}
