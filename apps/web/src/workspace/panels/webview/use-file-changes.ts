import { useEffect, useRef } from 'react'
import type { PanelHost } from '../../panel-definition.ts'
import { fetchChangedPaths } from '../parts/files.api.ts'

/** Several files of a page are often saved one after the other. */
const SETTLE_MS = 300

/**
 * Calls back when a file changes in the folder of the page that is shown, or below it: that is where its styles, scripts and
 * data are. `path` is that of the page, percent-encoded; nothing is followed without one.
 */
export function useFileChanges(host: PanelHost, path: string | undefined, onChange: () => void): void {
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  const folder = path === undefined ? undefined : folderOf(path)
  useEffect(() => {
    if (folder === undefined) return undefined
    const stop = new AbortController()
    const { signal } = stop
    let timer: ReturnType<typeof setTimeout> | undefined
    // What has changed by now is what the page was loaded with.
    let revision = Number.MAX_SAFE_INTEGER
    let isLooking = false
    let isWanted = false
    const look = async () => {
      isWanted = true
      if (isLooking) return
      isLooking = true
      while (isWanted && !signal.aborted) {
        isWanted = false
        const changed = await fetchChangedPaths(host.workspace, { after: revision }, signal).catch(() => null)
        // Without an answer the next change is told with the next look.
        if (changed === null) break
        // More than can be listed: this page is as likely among it as any other.
        const isOurs = changed === undefined || changed.paths.some((each) => each.path.startsWith(folder))
        revision = changed?.revision ?? Number.MAX_SAFE_INTEGER
        if (!isOurs) continue
        clearTimeout(timer)
        timer = setTimeout(() => latest.current(), SETTLE_MS)
      }
      isLooking = false
    }
    void look()
    const unfollow = host.follow((news) => {
      if (news !== 'away') void look()
    })
    return () => {
      unfollow()
      stop.abort()
      clearTimeout(timer)
    }
  }, [host, folder])
}

/** With the slash at its end; empty for the whole workspace. */
function folderOf(path: string): string | undefined {
  try {
    const plain = decodeURIComponent(path.replace(/[?#].*$/, ''))
    return plain.slice(0, plain.lastIndexOf('/') + 1)
  } catch {
    return undefined
  }
}
