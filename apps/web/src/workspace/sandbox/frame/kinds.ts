import type { ResultType } from '../frame-messages.ts'
import { isArray, isOf, nodeType, tagOf } from './intrinsics.ts'

const { isError: isErrorOf } = Error as { isError?: (value: unknown) => boolean }

export function isError(value: unknown): boolean {
  return isErrorOf === undefined ? tagOf(value) === '[object Error]' : isErrorOf(value)
}

export function isNode(value: unknown): boolean {
  return isOf(nodeType, value)
}

export function typeOf(value: unknown): ResultType {
  if (value === null) return 'null'
  if (typeof value !== 'object') return typeof value
  try {
    if (isArray(value)) return 'array'
    return isError(value) ? 'error' : 'object'
  } catch {
    return 'object'
  }
}
