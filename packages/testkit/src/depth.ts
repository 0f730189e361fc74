import { test } from 'vitest'

/**
 * How far a run goes. The common run (`.ci/run`) is short and sees every rule; the deep one (`.ci/deep`) also kills,
 * waits, measures and counts as often as the rules say.
 */
export const isDeep = process.env['PATCHBAY_DEEP'] === '1'

/** A count, a size or a time that the common run cuts short. */
export function depth<T>({ common, deep }: { readonly common: T; readonly deep: T }): T {
  return isDeep ? deep : common
}

/**
 * A bound on time that a rule states. The deep run holds it as it is; the common one runs beside anything else, and
 * asks no more than that nothing hangs.
 */
export function atLatest(ms: number): number {
  return isDeep ? ms : Math.max(10_000, 4 * ms)
}

/** Of cases that are alike: the common run takes the first. */
export function sample<T>(cases: readonly T[]): readonly T[] {
  return isDeep ? cases : cases.slice(0, 1)
}

/** Takes a declaration in any form that is used, and forgets it. */
const nowhere = () => {}
Object.assign(nowhere, {
  each: () => nowhere,
  for: () => nowhere,
  skipIf: () => nowhere,
  concurrent: nowhere,
})

/**
 * A test that only the deep run has, beside the shorter ones that prove its rule in the common run. It is not registered
 * there at all: what is reported as skipped is what a machine lacks. A file with nothing else is named `*.deep.test.ts`.
 */
export const deepTest: typeof test = isDeep ? test : (nowhere as unknown as typeof test)

/**
 * A test that runs the same way at any depth: every change has passed it in the common run, and the deep one leaves it
 * there. Only a file that has deep tests beside it needs to say so: one without any is not part of the deep run.
 */
export const commonTest: typeof test = isDeep ? (nowhere as unknown as typeof test) : test
