import type { EndpointSpec } from '../core/endpoint.ts'
import { getDocument, postFileEdits } from './editing.ts'
import {
  deleteFile,
  getChangedPaths,
  getFile,
  getFileArchive,
  getFileChanges,
  getFiles,
  postFileChanges,
  postMissingBlobs,
  postReadBlobs,
  postRestore,
  putBlob,
  putFile,
} from './files.ts'
import { getFileSearch } from './search.ts'

/** The files of a workspace, in the order of the reference. */
export const CONTENT_ENDPOINTS: readonly EndpointSpec[] = [
  getFiles,
  getFile,
  putFile,
  deleteFile,
  postFileChanges,
  getFileSearch,
  getDocument,
  postFileEdits,
  putBlob,
  postMissingBlobs,
  postReadBlobs,
  getFileChanges,
  getChangedPaths,
  postRestore,
  getFileArchive,
]
