import type { DEFAULT_PORTS } from '@patchbay/contracts'

// The type alone: help is printed without loading what describes the whole wire.
const PORT: (typeof DEFAULT_PORTS)['server'] = 8790

export const DEFAULT_SERVER = `http://localhost:${PORT}`
