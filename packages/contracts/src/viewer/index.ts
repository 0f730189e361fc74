export * from './endpoints.ts'
export * from './pages.ts'
export * from './pastes.ts'
