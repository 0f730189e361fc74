export { LinkFailure } from './link.io.ts'
export { type SimulationEvent, type SimulationRun, startSimulation } from './simulate.io.ts'
