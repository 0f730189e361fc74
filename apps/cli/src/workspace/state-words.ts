import type { CurrentTab } from '@patchbay/client/workspaces'
import { stripHidden, truncate } from '@patchbay/primitives/text'
import { counted } from '../terminal/table.ts'

const LONGEST = 100

/** What a panel shows, in one line. */
export function stateInWords({ state }: Pick<CurrentTab, 'state'>): string {
  const { url, fileName, text, code, filter, connect, isHeaderHidden, isProxyEnabled } = state
  return [
    wordsOf(url),
    wordsOf(fileName),
    typeof text === 'string' ? counted(text.length, 'character') : '',
    typeof code === 'string' ? `${counted(code.length, 'character')} of code` : '',
    typeof filter === 'string' ? `only ${wordsOf(filter)}` : '',
    Array.isArray(connect) && connect.length > 0 ? `may reach ${connect.map(wordsOf).join(' ')}` : '',
    isHeaderHidden === true ? 'header hidden' : '',
    isProxyEnabled === true ? 'through the proxy' : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? truncate(stripHidden(value), LONGEST) : ''
}
