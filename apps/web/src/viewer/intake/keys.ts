import { words } from '../words.tsx'

const keys = /^(?:Mac|iP)/.test(navigator.platform) ? words.keys.apple : words.keys.other

/** What pastes on this computer, as its keyboard says it. */
export const PASTE_KEYS: readonly [string, string] = [keys.modifier, 'V']
export const PASTE_KEYS_IN_WORDS = keys.paste
export const COPY_KEYS_IN_WORDS = keys.copy
/** A telephone has none to press. */
export const HAS_KEYS = !matchMedia('(hover: none) and (pointer: coarse)').matches
