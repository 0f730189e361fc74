import { useEffect, useState } from 'react'

/** Whether some of the tabs of a group are scrolled out of sight. */
export function useOverflow(group: HTMLElement): boolean {
  const [isOverflowing, setOverflowing] = useState(false)
  useEffect(() => {
    const list = group.querySelector('.dv-tabs-container')
    if (list === null) return undefined
    const sizes = new ResizeObserver(() => setOverflowing(list.scrollWidth > list.clientWidth + 1))
    const follow = () => {
      sizes.disconnect()
      // With each tab: the list keeps its own width when one of them grows.
      for (const element of [list, ...list.children]) sizes.observe(element)
    }
    const members = new MutationObserver(follow)
    members.observe(list, { childList: true })
    follow()
    return () => {
      members.disconnect()
      sizes.disconnect()
    }
  }, [group])
  return isOverflowing
}
