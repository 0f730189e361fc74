import type { EndpointSpec } from '../core/endpoint.ts'
import {
  deleteBoardJob,
  getBoardEngine,
  getBoardJob,
  getBoardJobs,
  getBoardResult,
  postBoardJob,
} from './jobs.ts'
import {
  deleteBoardLibrary,
  getBoardLibraries,
  getBoardLibrarySymbols,
  getBoardSymbols,
  putBoardLibrary,
} from './libraries.ts'
import { postSchematicAnnotation, postSchematicChanges } from './schematic.ts'

/** Boards and schematics, in the order of the reference. */
export const BOARD_ENDPOINTS: readonly EndpointSpec[] = [
  postBoardJob,
  getBoardJobs,
  getBoardJob,
  deleteBoardJob,
  getBoardResult,
  getBoardEngine,
  postSchematicChanges,
  postSchematicAnnotation,
  getBoardLibraries,
  putBoardLibrary,
  deleteBoardLibrary,
  getBoardLibrarySymbols,
  getBoardSymbols,
]
