import { createPublicKey, verify } from 'node:crypto'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type JsonObject = { readonly [key: string]: Json }

export interface SignedDocument {
  readonly signed: JsonObject
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[]
}

export interface KeyRing {
  /** By id, 32 bytes in hexadecimal digits each. */
  readonly keys: ReadonlyMap<string, string>
  readonly threshold: number
}

const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex')

export function readSigned(bytes: Uint8Array, type: string): SignedDocument {
  const value = JSON.parse(Buffer.from(bytes).toString('utf8')) as SignedDocument
  if (value.signed?.['_type'] === type && Array.isArray(value.signatures)) return value
  throw new TypeError(`this is not ${type} metadata`)
}

export function versionOf({ signed }: SignedDocument): number {
  const { version } = signed
  if (typeof version === 'number' && Number.isSafeInteger(version) && version > 0) return version
  throw new TypeError('the metadata has no version')
}

/** Who may sign for a role: `holder` is a root, or the delegations of targets. */
function keyRingOf(holder: JsonObject, role: JsonObject): KeyRing {
  const { keyids, threshold } = role
  const known = asObject(holder['keys'])
  const keys = new Map<string, string>()
  for (const id of Array.isArray(keyids) ? keyids : []) {
    const hex = asObject(asObject(known[String(id)])['keyval'])['public']
    if (typeof hex === 'string') keys.set(String(id), hex)
  }
  return { keys, threshold: typeof threshold === 'number' ? threshold : Number.POSITIVE_INFINITY }
}

export function roleOf(root: SignedDocument, role: string): KeyRing {
  return keyRingOf(root.signed, asObject(asObject(root.signed['roles'])[role]))
}

/** One signature of this key is enough: the service has no other. */
export function suffices({ keys, threshold }: KeyRing, keyId: string): boolean {
  return keys.has(keyId) && threshold === 1
}

export interface BinDelegation {
  readonly bits: number
  readonly keyRing: KeyRing
}

export function binsOf(targets: SignedDocument): BinDelegation {
  const delegations = asObject(targets.signed['delegations'])
  const succinct = asObject(delegations['succinct_roles'])
  const bits = succinct['bit_length']
  if (typeof bits !== 'number') throw new TypeError('the targets delegate nothing to bins')
  return { bits, keyRing: keyRingOf(delegations, succinct) }
}

/** Each key counts once, however often it signed. */
export function isSignedBy({ signed, signatures }: SignedDocument, { keys, threshold }: KeyRing): boolean {
  const text = Buffer.from(canonical(signed))
  const good = new Set(
    signatures.filter(({ keyid, sig }) => isGood(keys.get(keyid), text, sig)).map(({ keyid }) => keyid),
  )
  return good.size >= threshold
}

function isGood(hex: string | undefined, text: Uint8Array, signature: string): boolean {
  if (hex === undefined) return false
  const key = createPublicKey({
    key: Buffer.concat([SPKI_ED25519, Buffer.from(hex, 'hex')]),
    format: 'der',
    type: 'spki',
  })
  return verify(undefined, text, key, Buffer.from(signature, 'hex'))
}

/** The canonical JSON of TUF: sorted keys, no blanks, and nothing escaped but quotes and backslashes. */
function canonical(value: Json): string {
  if (typeof value === 'string') return `"${value.replaceAll(/["\\]/g, '\\$&')}"`
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const entries = Object.entries(value as JsonObject).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, each]) => `${canonical(key)}:${canonical(each)}`).join(',')}}`
}

function asObject(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}
