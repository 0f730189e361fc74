import { TangledNetsError } from '../fault.ts'
import { KICAD_LIMITS } from '../limits.ts'

/** A pin, a label or a signal takes about as long as so many comparisons, and memory besides. */
export const STEPS_OF_A_THING = 15

/** Counts what can take more time than in proportion to the files. */
export type Work = (steps: number) => void

export function createWork(): Work {
  let left: number = KICAD_LIMITS.netWork
  return (steps) => {
    left -= steps
    if (left < 0) throw new TangledNetsError()
  }
}
