import type { SANDBOX_LIMITS } from '@patchbay/contracts/limits'
import type { CONSOLE_LEVELS as LEVELS } from '@patchbay/contracts/panels'

// The contracts themselves would bring their schemas into the frame; their types make these the same.
export const MOST_TEXT = 65_536 satisfies (typeof SANDBOX_LIMITS)['resultLength']
export const MOST_LINES = 100 satisfies (typeof SANDBOX_LIMITS)['consoleLines']
export const CONSOLE_LEVELS = ['log', 'info', 'warn', 'error', 'debug'] satisfies (typeof LEVELS)[number][]
