export { createLog, type Log, type LogLevel, type LogOptions } from './log.ts'
export { Secret } from './secret.ts'
