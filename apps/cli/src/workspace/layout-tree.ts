import type { CurrentTab, CurrentWorkspace, LayoutNode } from '@patchbay/client/workspaces'
import { stripHidden } from '@patchbay/primitives/text'
import { stateInWords } from './state-words.ts'

/** The layout as a tree: splits with the share of each part, panels, and their tabs; `▸` marks the one that shows. */
export function layoutTree({ layout, tabs }: Pick<CurrentWorkspace, 'layout' | 'tabs'>): string[] {
  return linesOf(layout.root, new Map(tabs.map((tab) => [tab.tabId, tab])))
}

type Tabs = ReadonlyMap<string, CurrentTab>

function linesOf(node: LayoutNode, tabs: Tabs, share = ''): string[] {
  if (node.type === 'leaf')
    return [
      `${share}panel ${node.id}${node.tabs.length === 0 ? '  (empty)' : ''}`,
      ...node.tabs.flatMap(({ id, title }) => {
        const tab = tabs.get(id)
        return tab === undefined ? [`    ${stripHidden(title)}`, `    tab ${id}`] : tabLines(tab)
      }),
    ]
  const lines = [
    `${share}split ${node.id}  ${node.direction === 'row' ? 'side by side' : 'one below the other'}`,
  ]
  for (const [at, child] of node.children.entries()) {
    const isLast = at === node.children.length - 1
    const percent = `${Math.round((node.sizes[at] ?? 0) * 100)} %`
    const [first = '', ...rest] = linesOf(child, tabs, `${percent.padStart(4)}  `)
    lines.push(`${isLast ? '└─' : '├─'} ${first}`, ...rest.map((line) => `${isLast ? '   ' : '│  '}${line}`))
  }
  return lines
}

function tabLines(tab: CurrentTab): string[] {
  const shows = stateInWords(tab)
  return [
    `  ${tab.isActive ? '▸' : ' '} ${stripHidden(tab.displayName)} (${tab.kind})${shows === '' ? '' : `  ${shows}`}`,
    `    tab ${tab.tabId}`,
  ]
}
