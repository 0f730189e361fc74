import { SEARCH_LIMITS } from '@patchbay/contracts/limits'

/** The modifiers of a shortcut and its key, as in `Mod+Shift+Z`. `Mod` is Command on a Mac, and Control elsewhere. */
const MODIFIERS = ['Mod', 'Shift', 'Alt'] as const

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

export function isPressed(keys: string, { key, ctrlKey, metaKey, shiftKey, altKey }: Pressed): boolean {
  const { modifiers, name } = parts(keys)
  // A sign that needs Shift on one keyboard needs none on another.
  const isSign = name.length === 1 && name.toLowerCase() === name.toUpperCase()
  return (
    key.toLowerCase() === name.toLowerCase() &&
    (ctrlKey || metaKey) === modifiers.has('Mod') &&
    (isSign || shiftKey === modifiers.has('Shift')) &&
    altKey === modifiers.has('Alt')
  )
}

/** As it is printed on the keys of this machine. */
export function keysInWords(keys: string, isMac: boolean): string {
  const { modifiers, name } = parts(keys)
  const shown = MODIFIERS.filter((modifier) => modifiers.has(modifier)).map((modifier) =>
    isMac
      ? { Mod: '⌘', Shift: '⇧', Alt: '⌥' }[modifier]
      : { Mod: 'Ctrl', Shift: 'Shift', Alt: 'Alt' }[modifier],
  )
  return isMac ? [...shown.toReversed(), name].join('') : [...shown, name].join('+')
}

/** For `aria-keyshortcuts`. */
export function keysForReaders(keys: string, isMac: boolean): string {
  return keys.replace('Mod', isMac ? 'Meta' : 'Control')
}

export function onMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform)
}

/** With `data-own-keys`, a drawing that has its own undo, say. */
const FIELDS =
  'input, textarea, select, [contenteditable=""], [contenteditable="true"], [role="textbox"], [data-own-keys]'

/** Whether keys go to something that somebody writes in. The editor is in a tree of its own, which hides it as a target. */
export function isTyping(event: Event): boolean {
  const [target] = event.composedPath()
  return target instanceof Element && target.closest(FIELDS) !== null
}

/** What has the focus, in whatever tree it is. */
export function focusedElement(): HTMLElement | undefined {
  let { activeElement } = document
  while (activeElement?.shadowRoot?.activeElement) activeElement = activeElement.shadowRoot.activeElement
  return activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : undefined
}

/** What is selected where the focus is, if it is no longer than a line that one would look for. */
export function selectedLine(): { readonly text?: string } {
  const root: (Node & { getSelection?: () => Selection | null }) | undefined = focusedElement()?.getRootNode()
  const text = (root?.getSelection?.() ?? getSelection())?.toString() ?? ''
  return text.trim() === '' || /[\n\r]/.test(text) || text.length > SEARCH_LIMITS.textLength ? {} : { text }
}

function parts(keys: string): { readonly modifiers: ReadonlySet<string>; readonly name: string } {
  const all = keys.split('+')
  return { modifiers: new Set(all.slice(0, -1)), name: all.at(-1) ?? '' }
}
