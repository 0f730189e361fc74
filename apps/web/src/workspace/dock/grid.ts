import type { Layout, LayoutNode, Leaf, Split } from '@patchbay/workspace-layout'

/** The serialized form of the docking library, as far as it is used. */
export interface GridLeaf {
  readonly type: 'leaf'
  readonly size: number
  readonly data: { readonly id: string; readonly views: readonly string[]; readonly activeView?: string }
}

export interface GridBranch {
  readonly type: 'branch'
  readonly size: number
  readonly data: readonly GridNode[]
}

export type GridNode = GridLeaf | GridBranch

export interface GridDocument {
  readonly grid: {
    readonly root: GridBranch
    readonly width: number
    readonly height: number
    readonly orientation: 'HORIZONTAL' | 'VERTICAL'
  }
  readonly panels: Readonly<
    Record<
      string,
      { id: string; contentComponent: string; tabComponent: string; title: string; renderer: 'always' }
    >
  >
}

export interface Extent {
  readonly width: number
  readonly height: number
}

export const PANEL_COMPONENT = 'panel'
export const TAB_COMPONENT = 'tab'

/** A layout as the docking library reads it. Leaves become its groups and tabs its panels, with the same ids. */
export function gridOf({ root }: Layout, { width, height }: Extent): GridDocument {
  const isColumn = root.type === 'split' && root.direction === 'column'
  const along = isColumn ? height : width
  const across = isColumn ? width : height
  const data =
    root.type === 'split'
      ? branchOf(root, along, across)
      : root.tabs.length === 0
        ? []
        : [leafOf(root, along)]
  return {
    grid: {
      root: { type: 'branch', size: across, data },
      width,
      height,
      orientation: isColumn ? 'VERTICAL' : 'HORIZONTAL',
    },
    panels: Object.fromEntries(
      tabsUnder(root).map((tab) => [
        tab.id,
        {
          ...tab,
          contentComponent: PANEL_COMPONENT,
          tabComponent: TAB_COMPONENT,
          renderer: 'always' as const,
        },
      ]),
    ),
  }
}

/** The children of a split, each with its share of the length that the split divides. */
function branchOf(split: Split, along: number, across: number): GridNode[] {
  return split.children.map((child, at) => {
    const size = (split.sizes[at] ?? 0) * along
    // Its own children divide the other direction.
    return child.type === 'leaf'
      ? leafOf(child, size)
      : { type: 'branch', size, data: branchOf(child, across, size) }
  })
}

function leafOf({ id, tabs, activeTabId }: Leaf, size: number): GridLeaf {
  const views = tabs.map((tab) => tab.id)
  return { type: 'leaf', size, data: { id, views, ...(activeTabId !== null && { activeView: activeTabId }) } }
}

function tabsUnder(node: LayoutNode): { id: string; title: string }[] {
  return node.type === 'leaf'
    ? node.tabs.map(({ id, title }) => ({ id, title }))
    : node.children.flatMap(tabsUnder)
}

/** What two layouts must share for one to be made from the other by sizes, titles and active tabs alone. */
export function skeletonOf(layout: Layout): string {
  return JSON.stringify(bones(layout.root))
}

function bones(node: LayoutNode): unknown {
  return node.type === 'leaf'
    ? [node.id, ...node.tabs.map(({ id }) => id)]
    : { [node.direction]: node.children.map(bones) }
}
