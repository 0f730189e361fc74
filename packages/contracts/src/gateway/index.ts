export * from './callbacks.ts'
export * from './endpoints.ts'
export * from './messages.ts'
export * from './watchdog.ts'
