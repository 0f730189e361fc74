import type { BrowserMessage } from '@patchbay/contracts/panels'

export type CommandAnswer = Extract<BrowserMessage, { type: 'done' | 'failed' }>

export interface CommandHistory {
  /** `new`: to be carried out. `running`: it is being carried out. Else what was answered. */
  begin(id: string): 'new' | 'running' | CommandAnswer
  finish(answer: CommandAnswer): void
}

const REMEMBERED = 200

/** Which commands this page has had. The same one twice, after a lost answer, is carried out once. */
export function createCommandHistory(): CommandHistory {
  const book = new Map<string, 'running' | CommandAnswer>()
  return {
    begin(id) {
      const known = book.get(id)
      if (known !== undefined) return known
      book.set(id, 'running')
      const finished = Array.from(book).filter(([, entry]) => entry !== 'running')
      for (const [old] of finished.slice(0, Math.max(0, book.size - REMEMBERED))) book.delete(old)
      return 'new'
    },
    finish(answer) {
      if (book.has(answer.id)) book.set(answer.id, answer)
    },
  }
}
