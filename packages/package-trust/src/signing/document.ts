import { createHash } from 'node:crypto'
import { Metadata, type Root, Signature, type Snapshot, type Targets, type Timestamp } from '@tufjs/models'
import { type PreparedKey, prepareKey } from './keys.ts'

/**
 * Canonical JSON: what signatures are made of. It is JSON itself as long as no string has control characters, which
 * neither target paths nor names of metadata have.
 */
function spellCanonical(value: unknown): string {
  if (typeof value === 'string') return spellString(value)
  if (Array.isArray(value)) return `[${value.map(spellCanonical).join(',')}]`
  if (typeof value === 'object' && value !== null)
    return spellObject(value as Readonly<Record<string, unknown>>)
  if (typeof value === 'boolean' || value === null || Number.isSafeInteger(value))
    return JSON.stringify(value)
  throw new TypeError(`Signed metadata cannot hold a ${typeof value} that is no whole number`)
}

function spellObject(value: Readonly<Record<string, unknown>>): string {
  const entries: string[] = []
  for (const key of Object.keys(value).toSorted()) {
    if (value[key] !== undefined) entries.push(`${spellString(key)}:${spellCanonical(value[key])}`)
  }
  return `{${entries.join(',')}}`
}

const ESCAPED = /["\\]/
const ALL_ESCAPED = /["\\]/g

function spellString(text: string): string {
  return ESCAPED.test(text) ? `"${text.replaceAll(ALL_ESCAPED, '\\$&')}"` : `"${text}"`
}

/** A file of the `tuf/` folder. */
export interface SignedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** One that was just made. */
export interface IssuedFile extends SignedFile {
  readonly version: number
}

/** Length and SHA-256 of a file. */
export interface FileInfo {
  readonly length: number
  readonly sha256: string
}

export interface Issue {
  /** The document that this one continues. Its version is one higher, or 1 without it. */
  readonly previous?: Uint8Array | undefined
  /** Another version than the next one. */
  readonly version?: number | undefined
  readonly now: Date
  readonly expires: Date
  /** Private keys in PEM, or prepared ones for whoever signs much. */
  readonly keys: readonly (string | PreparedKey)[]
}

type SignedPart = Root | Snapshot | Targets | Timestamp
export type JsonObject = Parameters<typeof Root.fromJSON>[0]

/** What all kinds of metadata begin with. */
export type Head = Readonly<Record<'_type' | 'spec_version' | 'expires', string>> & {
  readonly version: number
}

/** The signed part of the document that this one continues. */
export function previousOf(type: string, { previous }: Issue): JsonObject | undefined {
  return previous === undefined ? undefined : readDocument(previous, type)
}

export function headOf(type: string, issue: Issue, continued = previousOf(type, issue)): Head {
  const previous = continued === undefined ? 0 : versionOf(continued)
  const version = issue.version ?? previous + 1
  if (!Number.isSafeInteger(version) || version <= previous) {
    throw new RangeError(`Version ${version} of ${type} does not follow version ${previous}`)
  }
  return { _type: type, spec_version: '1.0.31', version, expires: spellExpiry(issue) }
}

export function preparedKeys({ keys }: Issue): PreparedKey[] {
  return keys.map((key) => (typeof key === 'string' ? prepareKey(key) : key))
}

export function signPart<T extends SignedPart>(part: T, issue: Issue): Metadata<T> {
  const metadata = new Metadata(part)
  for (const { id: keyID, sign } of preparedKeys(issue)) {
    metadata.sign((bytes) => new Signature({ keyID, sig: sign(bytes) }))
  }
  return metadata
}

export function encodeDocument(name: string, metadata: Metadata<SignedPart>): IssuedFile {
  const bytes = Buffer.from(JSON.stringify(metadata.toJSON()))
  return { name, bytes, version: metadata.signed.version }
}

/**
 * For documents of many entries: spelled once, signed as it is written. The classes of the library copy all entries for
 * each entry, and spell them once for the signature and once for the file.
 */
export function signSpelled(name: string, head: Head, content: JsonObject, issue: Issue): IssuedFile {
  const signed = Buffer.from(spellCanonical({ ...head, ...content }))
  const signatures = new Map(preparedKeys(issue).map(({ id, sign }) => [id, sign(signed)]))
  const begin = JSON.stringify([...signatures].map(([keyid, sig]) => ({ keyid, sig })))
  const bytes = Buffer.concat([Buffer.from(`{"signatures":${begin},"signed":`), signed, Buffer.from('}')])
  return { name, bytes, version: head.version }
}

/** The signed part of a document of ours. Signatures are not looked at: whoever signs trusts his own store. */
export function readDocument(bytes: Uint8Array, type: string): JsonObject {
  const { signed } = parseObject(bytes)
  if (isObject(signed) && signed['_type'] === type) return signed
  throw new TypeError(`This is not ${type} metadata`)
}

export function parseObject(bytes: Uint8Array): JsonObject {
  const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
  if (isObject(value)) return value
  throw new TypeError('This is not TUF metadata')
}

export function versionOf(signed: JsonObject): number {
  if (typeof signed['version'] === 'number') return signed['version']
  throw new TypeError('The metadata has no version')
}

/** Those with a number in their name: `12.bin-3ff.json` is version 12 of `bin-3ff`. */
export function readName(name: string): { readonly role: string; readonly version: number } | undefined {
  const [, version, role] = /^([1-9]\d*)\.([\w-]+)\.json$/.exec(name) ?? []
  return version === undefined || role === undefined ? undefined : { role, version: Number(version) }
}

export function measureBytes(bytes: Uint8Array): FileInfo {
  return { length: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** TUF has whole seconds. Rounded down: metadata never lives longer than was said. */
function spellExpiry({ now, expires }: Issue): string {
  const seconds = Math.floor(expires.getTime() / 1000) * 1000
  if (!(seconds > now.getTime())) throw new RangeError('The expiry is not after now')
  return new Date(seconds).toISOString().replace('.000Z', 'Z')
}
