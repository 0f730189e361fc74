import { createHash } from 'node:crypto'
import { join } from 'node:path'

const LONGEST = 120

/**
 * A name of a user or a provider as a file name that no other name has. Capitals are encoded as well: on a disk that
 * does not tell them apart, Ada would get the tokens of ada.
 */
export function fileNameOf(name: string): string {
  if (name === '' || name === '.' || name === '..') throw new TypeError('a name must not be empty or dots')
  // Two names with different halves of a pair would become the same bytes.
  if (!name.isWellFormed()) throw new TypeError('a name must be well-formed Unicode')
  const encoded = name.replace(/[^a-z0-9_.-]/gu, percentEncode)
  // No encoded name has an `l` after a percent sign, so nobody can be called like somebody's digest.
  return encoded.length <= LONGEST ? encoded : `%long-${createHash('sha256').update(name).digest('hex')}`
}

function percentEncode(character: string): string {
  return Buffer.from(character, 'utf8')
    .toString('hex')
    .replace(/../g, (byte) => `%${byte}`)
}

export function recordPathOf(folder: string, user: string): string {
  return join(folder, `${fileNameOf(user)}.json`)
}

export function lockPathOf(recordPath: string): string {
  return recordPath.replace(/\.json$/, '.lock')
}
