import type { Layout, LayoutNode, Leaf, Tab } from './layout.ts'

/** From the left and top to the right and bottom. */
export function leaves(layout: Layout): Leaf[] {
  return nodesUnder(layout.root).filter((node) => node.type === 'leaf')
}

export function tabs(layout: Layout): Tab[] {
  return leaves(layout).flatMap((leaf) => leaf.tabs)
}

export function findLeaf(layout: Layout, leafId: string): Leaf | undefined {
  return leaves(layout).find(({ id }) => id === leafId)
}

export function findTab(
  layout: Layout,
  tabId: string,
): { readonly leaf: Leaf; readonly tab: Tab } | undefined {
  for (const leaf of leaves(layout)) {
    const tab = leaf.tabs.find(({ id }) => id === tabId)
    if (tab !== undefined) return { leaf, tab }
  }
  return undefined
}

/** The ids of all nodes and tabs. */
export function idsOf(layout: Layout): Set<string> {
  return new Set([...nodesUnder(layout.root), ...tabs(layout)].map(({ id }) => id))
}

export function nodesUnder(node: LayoutNode): LayoutNode[] {
  return node.type === 'leaf' ? [node] : [node, ...node.children.flatMap(nodesUnder)]
}

/** Nodes on the longest way down, this one counted. */
export function depthOf(node: LayoutNode): number {
  return node.type === 'leaf' ? 1 : 1 + Math.max(...node.children.map(depthOf))
}
