import type { EndpointSpec } from '../core/endpoint.ts'
import { getScreenshotPaste, getViewerPage, getViewerStatus, postShowWidget } from './pages.ts'
import {
  deletePaste,
  getNextPaste,
  getPaste,
  getPasteFile,
  listPastes,
  patchPaste,
  postPaste,
  postPasteUndo,
  postUploadGrant,
} from './pastes.ts'

/** Pastes and the pages that show them, in the order of the reference. */
export const VIEWER_ENDPOINTS: readonly EndpointSpec[] = [
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
