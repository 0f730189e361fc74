import { type EndpointSpec, openApiDocument } from '@patchbay/contracts/core'
import { GATEWAY_ENDPOINTS } from '@patchbay/contracts/gateway'
import { getHealth, getReadiness } from '@patchbay/kernel/http'
import { VERSION } from './version.ts'

export const API_INFO = {
  title: 'Patchbay gateway',
  version: VERSION,
  description:
    'One redirect URI for any number of clients. The WebSocket messages are described beside this document.',
}

/** What the gateway describes, for whoever wants the document without running one. A test compares it with a live one. */
const ENDPOINTS: readonly EndpointSpec[] = [getHealth, getReadiness, ...GATEWAY_ENDPOINTS]

export function gatewayOpenApi(): string {
  return JSON.stringify(openApiDocument(ENDPOINTS, API_INFO), null, 2)
}
