import { type LayoutNode, leaves, type Split } from '@patchbay/workspace-layout'
import { words } from '../words.tsx'

const SASHES = ':scope > .dv-split-view-container > .dv-sash-container > .dv-sash'
const VIEWS = ':scope > .dv-split-view-container > .dv-view-container > .dv-view'

/** Makes the borders between leaves something that the keyboard reaches and a screen reader names. */
export function decorateSashes(element: HTMLElement, root: LayoutNode | undefined): void {
  const branch = element.querySelector<HTMLElement>('.dv-branch-node')
  if (branch === null) return
  if (root?.type === 'split') decorate(branch, root)
  else for (const sash of branch.querySelectorAll('.dv-sash')) sash.removeAttribute('tabindex')
}

function decorate(branch: HTMLElement, split: Split): void {
  const sashes = branch.querySelectorAll<HTMLElement>(SASHES)
  for (const [at, sash] of sashes.entries()) {
    const [one, other] = [split.children[at], split.children[at + 1]]
    if (one === undefined || other === undefined) continue
    const before = split.sizes.slice(0, at + 1).reduce((sum, size) => sum + size, 0)
    sash.tabIndex = 0
    sash.setAttribute('role', 'separator')
    sash.setAttribute('aria-orientation', split.direction === 'row' ? 'vertical' : 'horizontal')
    sash.setAttribute('aria-valuenow', String(Math.round(before * 100)))
    sash.setAttribute('aria-valuemin', '0')
    sash.setAttribute('aria-valuemax', '100')
    sash.setAttribute('aria-label', words.dock.border(nameOf(one), nameOf(other)))
    sash.dataset['splitId'] = split.id
    sash.dataset['at'] = String(at)
  }
  const views = branch.querySelectorAll<HTMLElement>(VIEWS)
  for (const [at, view] of views.entries()) {
    const child = split.children[at]
    const inner = view.querySelector<HTMLElement>(':scope > .dv-branch-node')
    if (child?.type === 'split' && inner !== null) decorate(inner, child)
  }
}

function nameOf(node: LayoutNode): string {
  const leaf = leaves({ root: node })[0]
  return leaf?.tabs.find(({ id }) => id === leaf.activeTabId)?.title ?? words.dock.emptyPlace
}
