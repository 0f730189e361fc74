import type { Layout, LayoutNode, Tab } from '@patchbay/contracts/panels'
import type { Db } from '@patchbay/kernel/postgres'
import { emptyLayout } from '@patchbay/workspace-layout'
import { findBuiltInOfKind } from '../catalog/built-in-panels.ts'
import type { PanelState, PanelsTables } from '../tables.ts'

export interface TemplateTab {
  /** Of one of our panels. */
  readonly kind: string
  readonly title?: string
  readonly state?: PanelState
}

/** Tabs of one leaf, of which the first shows; or parts side by side or below each other, with their shares. */
export type TemplateNode =
  | { readonly tabs: readonly TemplateTab[] }
  | { readonly row: readonly TemplatePart[] }
  | { readonly column: readonly TemplatePart[] }

export type TemplatePart = readonly [share: number, node: TemplateNode]

export interface Template {
  readonly layout: TemplateNode
  /** By their paths. */
  readonly files: Readonly<Record<string, string>>
}

/** What a workspace is made with. */
export interface NewWorkspace {
  readonly layout: Layout
  /** By the ids of tabs. */
  readonly states: ReadonlyMap<string, PanelState>
  /** In the transaction that has made it. */
  readonly fill?: (tx: Db<PanelsTables>) => Promise<void>
}

export function emptyWorkspace(leafId: string): NewWorkspace {
  return { layout: emptyLayout(leafId), states: new Map() }
}

/** With ids of its own; without a template, empty. */
export function workspaceFrom(
  template: Template | undefined,
  newId: () => string,
): NewWorkspace & Pick<Template, 'files'> {
  if (template === undefined) return { ...emptyWorkspace(newId()), files: {} }
  const { layout, files } = template
  const states = new Map<string, PanelState>()
  return { layout: { root: nodeOf(layout, newId, states) }, states, files }
}

function nodeOf(node: TemplateNode, newId: () => string, states: Map<string, PanelState>): LayoutNode {
  if ('tabs' in node) {
    const tabs = node.tabs.map((tab) => tabOf(tab, newId, states))
    return { type: 'leaf', id: newId(), tabs, activeTabId: tabs[0]?.id ?? null }
  }
  const [direction, parts] = 'row' in node ? (['row', node.row] as const) : (['column', node.column] as const)
  return {
    type: 'split',
    id: newId(),
    direction,
    sizes: parts.map(([share]) => share),
    children: parts.map(([, child]) => nodeOf(child, newId, states)),
  }
}

function tabOf(
  { kind, title, state }: TemplateTab,
  newId: () => string,
  states: Map<string, PanelState>,
): Tab {
  const panel = findBuiltInOfKind(kind)
  if (panel === undefined) throw new Error(`no panel of the kind ${kind}`)
  const id = newId()
  if (state !== undefined) states.set(id, state)
  return { id, panel: panel.id, title: title ?? panel.name, icon: panel.icon }
}
