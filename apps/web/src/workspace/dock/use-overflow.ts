import { useEffect, useState } from 'react'

/** Whether some of the tabs of a group are scrolled out of sight. The active one is kept in view. */
export function useOverflow(group: HTMLElement): boolean {
  const [isOverflowing, setOverflowing] = useState(false)
  useEffect(() => {
    const list = group.querySelector<HTMLElement>('.dv-tabs-container')
    if (list === null) return undefined
    const sizes = new ResizeObserver(() => {
      setOverflowing(list.scrollWidth > list.clientWidth + 1)
      showActiveTab(list)
    })
    const follow = () => {
      sizes.disconnect()
      // With each tab: the list keeps its own width when one of them grows.
      for (const element of [list, ...list.children]) sizes.observe(element)
    }
    const members = new MutationObserver(follow)
    members.observe(list, { childList: true })
    // The class alone tells which tab is active. Not with every scrolling: people look for other tabs that way.
    const activations = new MutationObserver(() => showActiveTab(list))
    activations.observe(list, { subtree: true, attributeFilter: ['class'] })
    follow()
    return () => {
      members.disconnect()
      activations.disconnect()
      sizes.disconnect()
    }
  }, [group])
  return isOverflowing
}

/** Of a tab that is wider than the list, its beginning. Nothing but the list is scrolled: the page has its own place. */
function showActiveTab(list: HTMLElement): void {
  const tab = list.querySelector('.dv-tab.dv-active-tab')
  if (tab === null) return
  const seen = list.getBoundingClientRect()
  const { left, right } = tab.getBoundingClientRect()
  if (left >= seen.left && right <= seen.right) return
  const toLeft = left - seen.left
  const toRight = right - seen.right
  list.scrollLeft += left < seen.left ? toLeft : Math.min(toLeft, toRight)
}
