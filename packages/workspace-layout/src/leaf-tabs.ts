import type { Leaf, Tab } from './layout.ts'

/** The first tab of a leaf is active whatever was asked: a leaf that shows none of its tabs would look broken. */
export function insertTab(leaf: Leaf, tab: Tab, index = leaf.tabs.length, activate = true): Leaf {
  return {
    ...leaf,
    tabs: leaf.tabs.toSpliced(Math.max(0, index), 0, tab),
    activeTabId: activate || leaf.activeTabId === null ? tab.id : leaf.activeTabId,
  }
}

/** Without this tab; `undefined` when it was the last one. The tab that takes its index becomes active, else the last. */
export function withoutTab(leaf: Leaf, tabId: string): Leaf | undefined {
  const index = leaf.tabs.findIndex(({ id }) => id === tabId)
  const tabs = leaf.tabs.toSpliced(index, 1)
  const next = tabs[index] ?? tabs.at(-1)
  if (next === undefined) return undefined
  return { ...leaf, tabs, activeTabId: leaf.activeTabId === tabId ? next.id : leaf.activeTabId }
}

export function replaceTab(leaf: Leaf, tab: Tab): Leaf {
  return { ...leaf, tabs: leaf.tabs.map((other) => (other.id === tab.id ? tab : other)) }
}

export function isSameTab(one: Tab, other: Tab): boolean {
  return (
    one.id === other.id && one.panel === other.panel && one.title === other.title && one.icon === other.icon
  )
}
