import {
  type ConfigDefinition,
  ConfigError,
  type Environment,
  readConfig,
  type Settings,
  type Values,
} from '../config/config.ts'
import type { Host } from './run.ts'

/** What a process takes from outside, given to it by its composition root. */
export interface Surroundings {
  readonly environment: Environment
  readonly host: Host
  /** Distinguishes this run from every other of the same name. */
  readonly runId: string
  /** 128 random bits or more, as letters, digits, `-` and `_`. */
  readonly createNonce: () => string
  /** 256 random bits, as letters, digits, `-` and `_`. */
  readonly createSecret: () => string
  /** Variables of the other processes: one environment file may serve them all. */
  readonly alsoKnown?: readonly string[]
  readonly printError: (text: string) => void
  readonly print: (text: string) => void
}

/** As sysexits has it: the fault is in the configuration, and starting again will not help. */
export const EXIT_CONFIG = 78

/** The configuration, or every fault of it on standard error and the end of the process. */
export function readConfigOrExit<Definition extends Settings>(
  definition: ConfigDefinition<Definition>,
  { environment, alsoKnown = [], printError, host }: Surroundings,
): Values<Definition> | undefined {
  try {
    return readConfig(definition, environment, alsoKnown)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    printError(error.message)
    host.exit(EXIT_CONFIG)
    return undefined
  }
}
