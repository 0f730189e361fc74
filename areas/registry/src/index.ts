export type { Publisher, RegistryAccess, RegistryDeps, RegistrySettings } from './deps.ts'
export { registerRegistry, type Registry } from './registry.routes.ts'
export { registryMigrations, type RegistryTables, registryTables } from './tables.ts'
