export { Lifecycle, type Part } from './lifecycle.ts'
export { type Host, runUntilSignal } from './run.ts'
export { notifySystemd } from './systemd.ts'
export { endFailedStart, EXIT_CONFIG, readConfigOrExit, type Surroundings } from './surroundings.ts'
