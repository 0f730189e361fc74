import { compiledCheck } from './compiled.ts'
import { isTooDeep } from './depth.ts'
import type { ValidateOptions } from './finding.ts'

/** Whether values are packages: the fast path, which says nothing else. */
export function createPackageValidator(options: ValidateOptions = {}): (value: unknown) => boolean {
  const check = compiledCheck('Package', 'first fault', options)
  return (value) => check(value) && !isTooDeep(value)
}
