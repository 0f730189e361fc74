import { lookup } from 'node:dns/promises'
import type { Lookup } from './ports.ts'
import { OutboundRefused } from './refused.ts'

const MOST_AT_ONCE = 2
const MOST_WAITING = 100

/** The resolver of the system, with its hosts file. */
export const lookUpInSystem: Lookup = async (name) => {
  const answers = await lookup(name, { all: true, order: 'verbatim' })
  return answers.map(({ address }) => address)
}

/**
 * A lookup blocks a thread of the process for as long as a stranger's name server likes. Without this limit four slow
 * ones stop every file operation.
 */
export function limitLookups(lookUp: Lookup): Lookup {
  let running = 0
  const waiting: (() => void)[] = []
  return async (name, signal) => {
    if (running >= MOST_AT_ONCE) {
      if (waiting.length >= MOST_WAITING) throw new OutboundRefused('unreachable', 'too many lookups wait')
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
      })
    } else {
      running += 1
    }
    try {
      signal.throwIfAborted()
      return await lookUp(name, signal)
    } finally {
      // The place goes to the next one, not back to the pool: whoever comes in between would be one too many.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
