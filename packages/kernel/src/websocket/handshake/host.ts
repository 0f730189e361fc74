import type { IncomingMessage } from 'node:http'
import { Problem } from '@patchbay/contracts/core'
import { hostIsAllowed } from '../../http/allowed-hosts.ts'

export function checkHost(
  { headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>,
  allowedHosts: readonly string[],
): void {
  if (!hostIsAllowed(headersDistinct.host, allowedHosts)) throw new Problem('host_not_allowed')
}
