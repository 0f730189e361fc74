import { BOARD_ENDPOINTS } from '@patchbay/contracts/boards'
import { CONTENT_ENDPOINTS } from '@patchbay/contracts/content'
import { CORE_ENDPOINTS, type EndpointSpec, openApiDocument } from '@patchbay/contracts/core'
import { DEVICE_ENDPOINTS } from '@patchbay/contracts/devices'
import { IDENTITY_ENDPOINTS } from '@patchbay/contracts/identity'
import { PANELS_ENDPOINTS } from '@patchbay/contracts/panels'
import { REGISTRY_ENDPOINTS } from '@patchbay/contracts/registry'
import { getHealth, getReadiness } from '@patchbay/kernel/http'
import { VERSION } from './version.ts'

export const API_INFO = {
  title: 'Patchbay HTTP API',
  version: VERSION,
  description: 'Everything the Patchbay server answers.',
}

/** What the server describes, for whoever wants the document without running one. A test compares it with a live server. */
const ENDPOINTS: readonly EndpointSpec[] = [
  getHealth,
  getReadiness,
  ...CORE_ENDPOINTS,
  ...IDENTITY_ENDPOINTS,
  ...REGISTRY_ENDPOINTS,
  ...PANELS_ENDPOINTS,
  ...CONTENT_ENDPOINTS,
  ...DEVICE_ENDPOINTS,
  ...BOARD_ENDPOINTS,
]

export function serverOpenApi(): string {
  return JSON.stringify(openApiDocument(ENDPOINTS, API_INFO), null, 2)
}
