export {
  type ConfigDefinition,
  ConfigError,
  defineConfig,
  type Environment,
  type Fault,
  readConfig,
  type Settings,
  type Values,
} from './config.ts'
export { hostName, network } from './network-kinds.ts'
export { configReference } from './reference.ts'
export { sharedSettings } from './shared-settings.ts'
export {
  boolean,
  choice,
  integer,
  type Kind,
  list,
  optional,
  port,
  required,
  secretText,
  secretUrl,
  type Setting,
  text,
  url,
  withDefault,
} from './setting.ts'
