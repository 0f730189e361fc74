import {
  deletePaste,
  type EndpointSpec,
  getNextPaste,
  getPaste,
  getPasteFile,
  getScreenshotPaste,
  getViewerPage,
  getViewerStatus,
  listPastes,
  openApiDocument,
  patchPaste,
  postPaste,
  postPasteUndo,
  postShowWidget,
  postUploadGrant,
} from '@patchbay/contracts'
import { getHealth, getReadiness } from '@patchbay/kernel/http'
import { VERSION } from './version.ts'

export const API_INFO = {
  title: 'Patchbay viewer',
  version: VERSION,
  description:
    'Pasted screenshots as files of a project, and the pages in which agents open widgets. For this machine alone.',
}

/** What the viewer describes, for whoever wants the document without running one. A test compares it with a live one. */
const ENDPOINTS: readonly EndpointSpec[] = [
  getHealth,
  getReadiness,
  postUploadGrant,
  postPaste,
  listPastes,
  getPaste,
  getNextPaste,
  patchPaste,
  postPasteUndo,
  deletePaste,
  getPasteFile,
  getViewerStatus,
  postShowWidget,
  getViewerPage,
  getScreenshotPaste,
]

export function viewerOpenApi(): string {
  return JSON.stringify(openApiDocument(ENDPOINTS, API_INFO), null, 2)
}
