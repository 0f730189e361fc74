import { useEffect, useLayoutEffect, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { useValue } from '../../parts/use-value.ts'
import { words } from '../presence/words.ts'
import { useWorkspaceSession } from '../workspace-context.ts'
import { Avatar } from './avatar.tsx'
import styles from './people.module.css'

/** Whom this page follows, and the way out. The place is there always, for screen readers to hear it. */
export function FollowingNotice() {
  const { presence } = useWorkspaceSession()
  const person = useValue(presence.following)
  const isFollowing = person !== undefined
  useEffect(() => {
    if (!isFollowing) return undefined
    const onKey = (event: KeyboardEvent) => {
      // What is open above the panels, and what a panel does with it, come first.
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (document.querySelector('[data-overlay]') === null) presence.stop()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isFollowing, presence])
  return (
    <div className={styles.notice} data-shown={isFollowing || undefined}>
      <output className={styles.said}>
        {isFollowing && (
          <>
            <Avatar person={person} size="sm" />
            {words.following(person.name)}
          </>
        )}
      </output>
      {isFollowing && <StopButton name={person.name} />}
    </div>
  )
}

function StopButton({ name }: { name: string }) {
  const { presence, dock } = useWorkspaceSession()
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const element = button.current
    return () => {
      // It goes when the following ends, for whatever reason, and the focus must not go with it.
      if (element === null || element !== document.activeElement) return
      const tabId = dock.get()?.currentTab()
      if (tabId !== undefined) setTimeout(() => dock.get()?.focusTab(tabId))
    }
  }, [dock])
  return (
    <Button ref={button} size="sm" aria-label={words.stopFollowing(name)} onPress={() => presence.stop()}>
      {words.stop}
    </Button>
  )
}
