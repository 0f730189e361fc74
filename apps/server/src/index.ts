export { configReference } from '@patchbay/kernel/config'
export {
  backUp,
  endAccess,
  printAdminLink,
  printFirstAdminLink,
  restore,
  switchAccount,
  switchQuarantine,
} from './admin.ts'
export { type ServerConfig, serverConfig } from './config.ts'
export { serverChecks } from './doctor.ts'
export { serverOpenApi } from './openapi.ts'
export {
  type ActionName,
  act,
  type LookName,
  lookUp,
  OperatorRefused,
  type Row,
} from './operator.ts'
export { serverMigrations } from './prepare-database.ts'
export { checkServerConfig, runServer } from './run.ts'
export { type RunningServer, type ServerDeps, startServer } from './server.ts'
export { VERSION } from './version.ts'
