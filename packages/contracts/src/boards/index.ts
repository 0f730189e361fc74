export * from './endpoints.ts'
export * from './jobs.ts'
export * from './operations.ts'
export * from './reports.ts'
