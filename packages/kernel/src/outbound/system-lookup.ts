import { lookup } from 'node:dns/promises'
import { Semaphore } from '@patchbay/primitives/async'
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
  const lookups = new Semaphore({
    total: MOST_AT_ONCE,
    maxWaiting: MOST_WAITING,
    refuse: () => new OutboundRefused('unreachable', 'too many lookups wait'),
  })
  return (name, signal) => lookups.run(() => lookUp(name, signal), { signal })
}
