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
export {
  boolean,
  choice,
  integer,
  type Kind,
  list,
  optional,
  port,
  required,
  type Setting,
  secretText,
  secretUrl,
  share,
  text,
  url,
  withDefault,
} from './setting.ts'
export { sharedSettings } from './shared-settings.ts'
