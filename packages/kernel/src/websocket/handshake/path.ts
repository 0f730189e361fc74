import type { IncomingMessage } from 'node:http'
import { Problem } from '@patchbay/contracts/core'

/** Finds what was registered for the request's path. Compared as written: no decoding, no dots, no trailing slash. */
export function findByPath<T>({ url }: Pick<IncomingMessage, 'url'>, routes: ReadonlyMap<string, T>): T {
  const target = url ?? ''
  const query = target.indexOf('?')
  const route = routes.get(query === -1 ? target : target.slice(0, query))
  if (route === undefined) throw new Problem('not_found')
  return route
}
