import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import type { RetentionOf } from '@patchbay/kernel/postgres'
import type { BoardsTables } from './tables.ts'

export const boardsRetention: RetentionOf<BoardsTables> = {
  board_jobs: { keptFor: '30 days after somebody last asked for it or read a result' },
  board_results: { bound: `${BOARD_LIMITS.results} for each job` },
  board_asks: {
    bound: `the last ${BOARD_LIMITS.jobsPerWorkspace.toLocaleString('en-US')} of each workspace`,
  },
  board_libraries: { bound: `${BOARD_LIMITS.libraries} for each workspace` },
  board_installed_symbols: { keptFor: 'as long as a worker of the same KiCad is remembered' },
  board_workers: { keptFor: '30 days after the worker was last heard of' },
}
