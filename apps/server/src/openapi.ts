import { type EndpointSpec, getAbout, openApiDocument } from '@patchbay/contracts'
import { getHealth, getReadiness } from '@patchbay/kernel/http'
import { VERSION } from './version.ts'

export const API_INFO = {
  title: 'Patchbay HTTP API',
  version: VERSION,
  description: 'Everything the Patchbay server answers.',
}

/** What the server describes, for whoever wants the document without running one. A test compares it with a live server. */
const ENDPOINTS: readonly EndpointSpec[] = [getHealth, getReadiness, getAbout]

export function serverOpenApi(): string {
  return JSON.stringify(openApiDocument(ENDPOINTS, API_INFO), null, 2)
}
