export * from './channels.ts'
export * from './devices.ts'
export * from './endpoints.ts'
export * from './messages.ts'
