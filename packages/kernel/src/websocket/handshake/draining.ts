import { Problem } from '@patchbay/contracts/core'

export function checkDraining(draining: boolean): void {
  if (draining) throw new Problem('shutting_down')
}
