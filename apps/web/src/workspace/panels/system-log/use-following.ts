import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { LogEntry } from '../../panel-definition.ts'
import { since } from './log-filter.ts'

const NEAR_PX = 24

/** Keeps the latest line in view until somebody scrolls up, and counts what came since. */
export function useFollowing(box: RefObject<HTMLElement | null>, shown: readonly LogEntry[]) {
  const [isFollowing, setFollowing] = useState(true)
  const [lastSeen, setLastSeen] = useState<LogEntry>()
  const lastTop = useRef(0)
  // Of this moment: before the next render rows that come into view would pull the person down again.
  const isOn = useRef(true)
  useLayoutEffect(() => {
    isOn.current = isFollowing
    const element = box.current
    const content = element?.firstElementChild
    if (!isFollowing || element === null || content === null || content === undefined) return undefined
    const scrollDown = () => {
      if (isOn.current) element.scrollTo({ top: element.scrollHeight, behavior: 'instant' })
    }
    // Rows that were never in view have a height that was guessed: the end moves as they come.
    const heights = new ResizeObserver(scrollDown)
    heights.observe(content)
    heights.observe(element)
    return () => heights.disconnect()
  }, [box, isFollowing])
  const follow = (isWanted: boolean) => {
    isOn.current = isWanted
    setFollowing(isWanted)
    setLastSeen(shown.at(-1))
  }
  return {
    isFollowing,
    setFollowing: follow,
    missed: isFollowing ? 0 : since(shown, lastSeen).length,
    onScroll: () => {
      const element = box.current
      if (element === null) return
      const below = element.scrollHeight - element.scrollTop - element.clientHeight
      const isUpwards = element.scrollTop < lastTop.current
      lastTop.current = element.scrollTop
      if (isUpwards && below > 1) {
        if (isOn.current) follow(false)
      } else if (below < NEAR_PX && !isOn.current) follow(true)
    },
  }
}
