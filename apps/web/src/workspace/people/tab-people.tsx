import { useEffect, useId, useRef } from 'react'
import { useValue } from '../../parts/use-value.ts'
import { words } from '../presence/words.ts'
import workspace from '../workspace.module.css'
import { useWorkspaceSession } from '../workspace-context.ts'
import { Avatar } from './avatar.tsx'
import styles from './people.module.css'

const MOST_MARKERS = 3

/** Who looks at a tab, on the tab. What agents do to it is told there otherwise. */
export function TabPeople({ tabId }: { tabId: string }) {
  const { presence } = useWorkspaceSession()
  const here = useValue(presence.people).filter(
    (person) => person.kind === 'person' && person.tabId === tabId && !person.isAway,
  )
  const id = useId()
  const place = useRef<HTMLSpanElement>(null)
  const said = here.length === 0 ? '' : words.onTab(here.map(({ name }) => name))
  useEffect(() => {
    // The tab is the library’s element, and has its title for a name: the rest describes it.
    const tab = place.current?.closest('[role=tab]')
    if (said === '' || !tab) return undefined
    tab.setAttribute('aria-describedby', id)
    return () => tab.removeAttribute('aria-describedby')
  }, [said, id])
  if (here.length === 0) return null
  return (
    <span ref={place} className={styles.markers} title={said}>
      {here.slice(0, MOST_MARKERS).map((person) => (
        <Avatar key={person.key} person={person} size="xs" />
      ))}
      {here.length > MOST_MARKERS && (
        <span aria-hidden className={styles.more}>
          {words.more(here.length - MOST_MARKERS)}
        </span>
      )}
      <span id={id} className={workspace.hidden}>
        {said}
      </span>
    </span>
  )
}
