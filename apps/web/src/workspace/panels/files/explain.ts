import { Problem } from '@patchbay/contracts/core'
import { UserError } from '../../../errors/user-error.ts'
import { words } from './words.ts'

/** The same failure with words for files, where the usual ones speak of something else. */
export function explain(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  const { taken, gone, limit, changed } = words.problems
  const { path, taken: there = path } = error.extensions
  if (error.code === 'path_taken') return new UserError(taken.title, taken.detail(String(there)), error)
  if (error.code === 'file_changed') return new UserError(changed.title, changed.detail, error)
  if (error.code === 'file_not_found') return new UserError(gone.title, gone.detail, error)
  if (error.code === 'limit_reached') return new UserError(limit.title, error.detail ?? limit.detail, error)
  return error
}

/** Whether something was not done because somebody else has changed the file since it was read. */
export function isChangedMeanwhile(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'file_changed'
}

/** Whether there was no such file, now or after the change that was asked about. */
export function isGone(error: unknown): boolean {
  return error instanceof Problem && error.code === 'file_not_found'
}

/** Whether something else has the path, or one that cannot be told from it. */
export function isTaken(error: unknown): boolean {
  return error instanceof Problem && error.code === 'path_taken'
}
