import { type EndpointSpec, openApiDocument } from '@patchbay/contracts/core'
import { VIEWER_ENDPOINTS } from '@patchbay/contracts/viewer'
import { getHealth, getReadiness } from '@patchbay/kernel/http'
import { VERSION } from './version.ts'

export const API_INFO = {
  title: 'Patchbay viewer',
  version: VERSION,
  description:
    'Pasted screenshots as files of a project, and the pages in which agents open widgets. For this machine alone.',
}

/** What the viewer describes, for whoever wants the document without running one. A test compares it with a live one. */
const ENDPOINTS: readonly EndpointSpec[] = [getHealth, getReadiness, ...VIEWER_ENDPOINTS]

export function viewerOpenApi(): string {
  return JSON.stringify(openApiDocument(ENDPOINTS, API_INFO), null, 2)
}
