import { focusedElement } from '../menus/shortcut.ts'

/** Keys that lead elsewhere, or mean nothing by themselves. */
const NO_USE = new Set(['Tab', 'Escape', 'Shift', 'Control', 'Alt', 'Meta'])

/** Notes which tab the person presses or types in. What programs give the focus to says nothing about a person. */
export function listenToUse(element: HTMLElement, onUse: (tabId: string) => void): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const note = (target: EventTarget | null) => {
    const tabId = tabIdOf(target)
    if (tabId !== undefined) onUse(tabId)
  }
  element.addEventListener('pointerdown', ({ target }) => note(target), { capture: true, signal })
  element.addEventListener(
    'keydown',
    ({ target, key }) => {
      if (!NO_USE.has(key)) note(target)
    },
    { capture: true, signal },
  )
  // A press inside of a frame is told to the frame alone; the page sees the focus go there.
  addEventListener(
    'blur',
    () =>
      setTimeout(() => {
        const focused = focusedElement()
        if (focused instanceof HTMLIFrameElement && element.contains(hostOf(focused))) note(hostOf(focused))
      }),
    { signal },
  )
  return () => stop.abort()
}

function tabIdOf(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element)) return undefined
  const found = target.closest<HTMLElement>('.dv-tab, [data-tab-id]')
  return found?.dataset['tabPanelId'] ?? found?.dataset['tabId']
}

/** What stands in the page's own tree for an element of whatever tree. */
function hostOf(element: Element): Element {
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? hostOf(root.host) : element
}
