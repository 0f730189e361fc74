const isApple = /^(?:Mac|iP)/.test(navigator.platform)

/** What pastes on this computer, as its keyboard says it. */
export const PASTE_KEYS: readonly [string, string] = isApple ? ['⌘', 'V'] : ['Ctrl', 'V']
export const PASTE_KEYS_IN_WORDS = isApple ? '⌘V' : 'Ctrl+V'
export const COPY_KEYS_IN_WORDS = isApple ? '⌘C' : 'Ctrl+C'
/** A telephone has none to press. */
export const HAS_KEYS = !matchMedia('(hover: none) and (pointer: coarse)').matches
