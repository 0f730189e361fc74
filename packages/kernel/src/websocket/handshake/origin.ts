import type { IncomingMessage } from 'node:http'
import { Problem } from '@patchbay/contracts/core'
import { originIsAllowed } from '../../http/allowed-origins.ts'

/** Browsers do not apply the same-origin policy to WebSockets: without this any page could speak as its visitor. */
export function checkOrigin(
  { headers }: Pick<IncomingMessage, 'headers'>,
  allowedOrigins: readonly string[],
): void {
  if (!originIsAllowed(headers.origin, allowedOrigins)) throw new Problem('origin_not_allowed')
}
