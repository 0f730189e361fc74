export type HashDiagnosis =
  | 'match'
  /** It is the hash of the same text with other line ends: something converted them after hashing. */
  | 'crlf'
  | 'lf'
  /** It is the hash of the same text with, or without, a line end at the end. */
  | 'final_newline'
  | 'bom'
  | 'mismatch'

export interface HashReport {
  readonly actual: string
  readonly diagnosis: HashDiagnosis
  readonly message: string
}

const MESSAGES: Readonly<Record<HashDiagnosis, string>> = {
  match: 'the hash matches',
  crlf: 'the hash does not match; it matches when line ends are CRLF: the file was hashed before its line ends were converted',
  lf: 'the hash does not match; it matches when line ends are LF: the file was hashed before its line ends were converted',
  final_newline: 'the hash does not match; it matches but for the line end at the end of the file',
  bom: 'the hash does not match; it matches but for the byte order mark at the beginning of the file',
  mismatch: 'the hash does not match: the file was changed after it was hashed, or damaged on the way',
}

/** Compares a file with the hash that somebody published for it, and finds the usual accidents by trying them. */
export async function diagnoseHash(bytes: Uint8Array, expected: string): Promise<HashReport> {
  const actual = await sha256Of(bytes)
  const diagnosis = actual === expected ? 'match' : await findAccident(bytes, expected)
  return { actual, diagnosis, message: MESSAGES[diagnosis] }
}

type Change = readonly [HashDiagnosis, (bytes: Uint8Array) => Uint8Array]

const ACCIDENTS: readonly Change[] = [
  ['crlf', (bytes) => withCrlf(withLf(bytes))],
  ['lf', withLf],
  ['final_newline', (bytes) => (bytes.at(-1) === LF ? bytes.subarray(0, -1) : joined(bytes, [LF]))],
  ['bom', (bytes) => (BOM.every((byte, at) => bytes[at] === byte) ? bytes.subarray(3) : joined(BOM, bytes))],
]

const LF = 10
const CR = 13
const BOM = [0xef, 0xbb, 0xbf]

async function findAccident(bytes: Uint8Array, expected: string): Promise<HashDiagnosis> {
  // One after the other: several copies of a large file at once would cost more than they save.
  // oxlint-disable-next-line no-await-in-loop
  for (const [diagnosis, change] of ACCIDENTS)
    if ((await sha256Of(change(bytes))) === expected) return diagnosis
  return 'mismatch'
}

function withLf(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, at) => byte !== CR || bytes[at + 1] !== LF)
}

function withCrlf(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length + bytes.filter((byte) => byte === LF).length)
  let end = 0
  for (const byte of bytes) {
    if (byte === LF) result[end++] = CR
    result[end++] = byte
  }
  return result
}

function joined(first: ArrayLike<number>, second: ArrayLike<number>): Uint8Array {
  const result = new Uint8Array(first.length + second.length)
  result.set(first)
  result.set(second, first.length)
  return result
}

async function sha256Of(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
