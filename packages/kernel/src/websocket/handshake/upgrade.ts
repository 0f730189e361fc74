import type { IncomingMessage } from 'node:http'
import { Problem } from '@patchbay/contracts/core'

const KEY = /^[+/0-9A-Za-z]{22}==$/
const VERSION = '13'

type Head = Pick<IncomingMessage, 'method' | 'headers'>

export function asksForWebSocket({ headers }: Pick<Head, 'headers'>): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/** Only version 13: older drafts carry the origin in another header, so they would pass the origin check unseen. */
export function checkUpgrade({ method, headers }: Head): void {
  if (method !== 'GET') throw new Problem('method_not_allowed', { headers: { allow: 'GET' } })
  if (!asksForWebSocket({ headers })) {
    throw new Problem('malformed_request', { detail: 'The Upgrade header does not name websocket.' })
  }
  if (!KEY.test(headers['sec-websocket-key'] ?? '')) {
    throw new Problem('malformed_request', {
      detail: 'The Sec-WebSocket-Key header is missing or malformed.',
    })
  }
  if (headers['sec-websocket-version'] !== VERSION) {
    throw new Problem('malformed_request', {
      detail: `Only version ${VERSION} of the WebSocket protocol is spoken.`,
      headers: { 'sec-websocket-version': VERSION },
    })
  }
}
