export { createBench } from './bench.ts'
export type { CommandOutcome, SimulatedDevice } from './engine.ts'
