import { createHash } from 'node:crypto'

/**
 * What a page is known as to everybody else, as a UUID. Made from the id that it chose and from its person: whoever reads it
 * cannot connect as that page, and would otherwise have it closed as an old connection (D-121).
 */
export function pageIdOf(personId: string, browserId: string): string {
  const hex = createHash('sha256').update(`${personId} ${browserId}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
