import type { Repository } from '@patchbay/package-format'
import { type Asked, readFeed } from './reading.ts'

export interface Watcher extends AsyncDisposable {
  /** How many whole states were read. */
  readonly states: () => number
  readonly faults: readonly string[]
}

/** Reads a feed again and again as a tool would, and notes everything that a tool would choke on. */
export function watchFeed(
  at: Asked,
  path: string,
  isOutage: (error: unknown) => boolean = () => false,
): Watcher {
  const faults: string[] = []
  let states = 0
  let last = 0
  let content = ''
  const ending = new AbortController()
  const check = ({ packages }: Repository) => {
    if (packages.update_timestamp < last) faults.push(`${packages.update_timestamp} after ${last}`)
    if (packages.update_timestamp === last && packages.sha256 !== content)
      faults.push('other content, same time')
    last = packages.update_timestamp
    content = packages.sha256 ?? ''
    states += 1
  }
  const loop = async () => {
    while (!ending.signal.aborted) {
      try {
        check((await readFeed(at, path)).repository)
      } catch (error) {
        if (!isOutage(error)) faults.push(String(error))
      }
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const over = loop()
  return {
    faults,
    states: () => states,
    async [Symbol.asyncDispose]() {
      ending.abort()
      await over
    },
  }
}
