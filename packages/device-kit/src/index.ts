export * from './command.ts'
export * from './info.ts'
export * from './payload.ts'
export * from './topics.ts'
