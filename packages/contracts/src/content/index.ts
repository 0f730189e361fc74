export * from './editing.ts'
export * from './endpoints.ts'
export * from './files.ts'
export * from './path.ts'
