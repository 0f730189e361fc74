export { Lifecycle, type Part } from './lifecycle.ts'
export { type Host, runUntilSignal } from './run.ts'
export { EXIT_CONFIG, endFailedStart, readConfigOrExit, type Surroundings } from './surroundings.ts'
export { notifySystemd } from './systemd.ts'
