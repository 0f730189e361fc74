import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'

/** Programs beside the server. Each runs by itself, and an installation may do without it. */
export const COMPANIONS = ['gateway', 'watchdog', 'viewer'] as const
export type Companion = (typeof COMPANIONS)[number]

const companionState = Type.Object({
  id: Type.Enum([...COMPANIONS]),
  isRunning: Type.Boolean({ description: 'Whether its `/health` answered this node within a second.' }),
  command: Type.String({ description: 'What starts it.' }),
})
export type CompanionState = Static<typeof companionState>

export const getServices = endpoint({
  method: 'GET',
  path: '/api/services',
  name: 'getServices',
  summary: 'Whether gateway, watchdog and viewer run, as seen from this node',
  description: 'Looked at every five seconds at most.',
  tag: 'System',
  responses: { 200: Type.Object({ companions: Type.Array(companionState) }) },
})
