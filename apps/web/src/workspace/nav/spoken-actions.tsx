import { tabs } from '@patchbay/workspace-layout'
import { useEffect, useRef, useState } from 'react'
import { sentenceFor } from '../action-words.ts'
import type { Snapshot } from '../store/snapshot.ts'
import styles from '../workspace.module.css'
import { useWorkspace } from '../workspace-context.ts'

/** A hundred actions in a second would otherwise be spoken for minutes. */
const PAUSE_MS = 1_000

/** What others do, for those who do not see the tabs. The place is there always, for screen readers to hear it. */
export function SpokenActions() {
  const latest = useWorkspace(latestInWords)
  const [spoken, setSpoken] = useState('')
  const spokenAt = useRef(0)
  useEffect(() => {
    const speak = () => {
      spokenAt.current = performance.now()
      setSpoken(latest)
    }
    const timer = setTimeout(speak, Math.max(0, spokenAt.current + PAUSE_MS - performance.now()))
    return () => clearTimeout(timer)
  }, [latest])
  return <output className={styles.hidden}>{spoken}</output>
}

/** Nothing of what had happened before the page was opened. */
function latestInWords({ actions, layout }: Snapshot): string {
  const action = actions.findLast(({ seenAt }) => seenAt > 0)
  if (action === undefined) return ''
  return sentenceFor(action, tabs(layout).find(({ id }) => id === action.tabId)?.title)
}
