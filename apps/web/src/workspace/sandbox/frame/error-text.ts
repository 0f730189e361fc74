import { slice, stringify } from './intrinsics.ts'

const MOST_TEXT = 8_192

/** What was thrown, as text. Whatever it is: reading an error runs code as well. */
export function errorText(thrown: unknown): string {
  try {
    if (typeof thrown === 'object' && thrown !== null) {
      const { name, message } = thrown as { name?: unknown; message?: unknown }
      if (typeof message === 'string') {
        const kind = typeof name === 'string' && name !== '' ? name : 'Error'
        return slice(message === '' ? kind : `${kind}: ${message}`, 0, MOST_TEXT)
      }
      return `thrown: ${slice(stringify(thrown) ?? 'an object', 0, MOST_TEXT)}`
    }
    return slice(`thrown: ${String(thrown)}`, 0, MOST_TEXT)
  } catch {
    return 'thrown: something that cannot be read'
  }
}
