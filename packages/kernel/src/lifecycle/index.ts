export { Lifecycle, type Part } from './lifecycle.ts'
export { type Host, runUntilSignal } from './run.ts'
