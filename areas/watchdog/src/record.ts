import { isOrdinaryPid, type ProcessRecord } from './identity.ts'
import type { Exit, Memory } from './supervision.ts'

type Loose = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** Reads what a pid file holds; `undefined` when it was damaged or names a pid that must never be signalled. */
export function parseRecord(value: unknown): ProcessRecord | undefined {
  if (!isObject(value)) return undefined
  const { pid, instance, startTime, command, startedAt } = value
  if (!isOrdinaryPid(pid) || typeof instance !== 'string' || instance === '') return undefined
  if (startTime !== null && typeof startTime !== 'string') return undefined
  if (!isTexts(command) || typeof startedAt !== 'string') return undefined
  return { pid, instance, startTime, command, startedAt }
}

/** Reads what was remembered; `undefined` when it was damaged. */
export function parseMemory(value: unknown): Memory | undefined {
  if (!isObject(value)) return undefined
  const { wanted, switchedTo, restarts, lastExit } = value
  if (wanted !== 'running' && wanted !== 'stopped') return undefined
  if (switchedTo !== undefined && typeof switchedTo !== 'boolean') return undefined
  if (!isObject(restarts)) return undefined
  const { exited, unhealthy, commanded } = restarts
  if (!isCount(exited) || !isCount(unhealthy) || !isCount(commanded)) return undefined
  return {
    wanted,
    switchedTo,
    restarts: { exited, unhealthy, commanded },
    lastExit: parseExit(lastExit),
  }
}

function parseExit(value: unknown): Exit | undefined {
  if (!isObject(value)) return undefined
  const { at, code, signal, reason, lastErrors } = value
  if (typeof at !== 'string' || typeof reason !== 'string' || !isTexts(lastErrors)) return undefined
  return {
    at,
    code: typeof code === 'number' ? code : null,
    signal: typeof signal === 'string' ? signal : null,
    reason,
    lastErrors,
  }
}
