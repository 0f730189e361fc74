import type { EndpointSpec } from '../core/endpoint.ts'
import { getBoardEngine, getBoardJob, getBoardJobs, getBoardResult, postBoardJob } from './jobs.ts'
import {
  deleteBoardLibrary,
  getBoardLibraries,
  getBoardLibrarySymbols,
  putBoardLibrary,
} from './libraries.ts'
import { postSchematicChanges } from './schematic.ts'

/** Boards and schematics, in the order of the reference. */
export const BOARD_ENDPOINTS: readonly EndpointSpec[] = [
  postBoardJob,
  getBoardJobs,
  getBoardJob,
  getBoardResult,
  getBoardEngine,
  postSchematicChanges,
  getBoardLibraries,
  putBoardLibrary,
  deleteBoardLibrary,
  getBoardLibrarySymbols,
]
