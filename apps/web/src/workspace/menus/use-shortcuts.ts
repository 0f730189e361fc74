import { useEffect } from 'react'
import { useWorkspaceSession } from '../workspace-context.ts'
import { commandsWithKeys } from './commands.ts'
import { focusedElement, isPressed, isTyping } from './shortcut.ts'

/** Long enough for a dialog to close and to try to give the focus back. */
const FOCUS_LOST_MS = 100

function isLostTo(now: HTMLElement | undefined, target: HTMLElement): boolean {
  const root = target.getRootNode()
  return now === undefined || (now !== target && root instanceof ShadowRoot && now.getRootNode() === root)
}

/** Runs the command whose keys are pressed. Those of a tab are for the dock, which knows what has the focus. */
export function useShortcuts(): void {
  const session = useWorkspaceSession()
  useEffect(() => {
    let cameFrom: HTMLElement | undefined
    // A dialog gives the focus back by itself, but of an editor it sees no more than what is around it.
    const giveBack = () => {
      if (session.overlay.get() !== undefined) return
      const target = cameFrom
      cameFrom = undefined
      const look = () => {
        if (document.querySelector('[data-overlay]') !== null) setTimeout(look, FOCUS_LOST_MS)
        else if (target !== undefined && isLostTo(focusedElement(), target)) target.focus()
      }
      setTimeout(look, FOCUS_LOST_MS)
    }
    const listen = (event: KeyboardEvent) => {
      const command = commandsWithKeys(session.store.getSnapshot().mayChange).find(
        ({ keys, keysIn }) => keysIn !== 'tab' && isPressed(keys, event),
      )
      if (command === undefined) return
      // A held key would open and close it again and again.
      if (event.repeat && command.id === 'palette') return event.preventDefault()
      const isOpen = command.id === 'palette' && session.overlay.get()?.type === 'palette'
      if (isOpen) {
        event.preventDefault()
        return session.overlay.set(undefined)
      }
      // What asks something is answered first.
      if (document.querySelector('[data-overlay]') !== null) return
      if (command.keysIn !== 'everywhere' && isTyping(event)) return
      event.preventDefault()
      event.stopPropagation()
      cameFrom = focusedElement()
      command.run({ session, tabId: session.dock.get()?.currentTab() })
    }
    // Before panels see it: an editor would take Ctrl+K for itself.
    addEventListener('keydown', listen, { capture: true })
    const unsubscribe = session.overlay.subscribe(giveBack)
    return () => {
      removeEventListener('keydown', listen, { capture: true })
      unsubscribe()
    }
  }, [session])
}
