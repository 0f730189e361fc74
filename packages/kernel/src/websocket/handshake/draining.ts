import { Problem } from '@patchbay/contracts'

export function checkDraining(draining: boolean): void {
  if (draining) throw new Problem('shutting_down')
}
