import { isDeepStrictEqual } from 'node:util'
import { PANEL_STATES } from '@patchbay/contracts/panels'
import { Ajv, type ErrorObject } from 'ajv'
import type { PanelState } from '../tables.ts'

/** Of one change of what a panel shows, as JSON. */
const LONGEST_PATCH = 300_000
/** Of the same, in UTF-8. What a panel shows in all may be a little more (`panel_states_size`). */
const LARGEST_PATCH_BYTES = 384_000

/**
 * Keys that move when a panel shall do something again: a caller that could set them could replay or swallow it. And what
 * somebody ran: a caller could put it in the name of somebody else.
 */
const OF_SERVER: ReadonlySet<string> = new Set(['refresh', 'reset', 'lastRun'])

const SCHEMAS: ReadonlyMap<string, object> = new Map(Object.entries(PANEL_STATES))
const SHOWS_NOTHING = { type: 'object', additionalProperties: false }
const ajv = new Ajv({ coerceTypes: false, useDefaults: false, removeAdditional: false, allErrors: false })

/**
 * What is wrong with keys that a caller wants to set on a panel of this kind, in words; `undefined` if nothing is. A key
 * that is null is to be removed.
 */
export function checkPanelState(kind: string, state: PanelState): string | undefined {
  const keys = Object.keys(state)
  const stamp = keys.find((key) => OF_SERVER.has(key))
  if (stamp !== undefined) return `"${stamp}" is set by the server alone.`
  // Compiled when the first panel of its kind is changed, and kept: all of them took a tenth of a server's start.
  const validate = ajv.compile(SCHEMAS.get(kind) ?? SHOWS_NOTHING)
  if (!validate(withoutNulls(state))) return wordsFor(kind, validate.errors?.[0])
  // Validated was only what is set: a key that is to be removed may be unknown as well.
  const known: { readonly properties?: object } | undefined = PANEL_STATES[kind]
  const unknown = keys.find((key) => !Object.hasOwn(known?.properties ?? {}, key))
  if (unknown !== undefined) return unknownKey(kind, unknown)
  const unstorable = keys.find((key) => isUnstorable(state[key]))
  if (unstorable !== undefined) return `"${unstorable}" holds a character that no text may hold.`
  const json = JSON.stringify(state)
  if (json.length > LONGEST_PATCH) return `It is longer than ${LONGEST_PATCH} characters of JSON.`
  return Buffer.byteLength(json) > LARGEST_PATCH_BYTES
    ? `It is larger than ${LARGEST_PATCH_BYTES} bytes of JSON.`
    : undefined
}

export function withoutNulls(state: PanelState): PanelState {
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== null))
}

/** Whether a patch would change nothing. */
export function holds(state: PanelState, patch: PanelState): boolean {
  return Object.entries(patch).every(([key, value]) =>
    value === null ? !Object.hasOwn(state, key) : isDeepStrictEqual(state[key], value),
  )
}

/** PostgreSQL takes neither a NUL nor half of a surrogate pair into JSON, and would answer with an error of ours. */
function isUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed()
  // As deep as the schemas go, which was checked before.
  return typeof value === 'object' && value !== null && Object.values(value).some(isUnstorable)
}

function wordsFor(kind: string, fault: ErrorObject | undefined): string {
  const added: unknown = fault?.params['additionalProperty']
  if (typeof added === 'string') return unknownKey(kind, added)
  const allowed: unknown = fault?.params['allowedValues']
  const choice = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : ''
  return `${(fault?.instancePath ?? '').slice(1)} ${fault?.message ?? 'is not valid'}${choice}.`
}

function unknownKey(kind: string, key: string): string {
  return `A panel of the kind "${kind}" has no "${key.slice(0, 40)}".`
}
