import {
  type ConfigDefinition,
  ConfigError,
  type Environment,
  readConfig,
  type Settings,
  type Values,
} from '../config/config.ts'
import type { Log } from '../log/index.ts'
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
  /** Standard output is a terminal: a person reads it, not a program. */
  readonly isTerminal?: boolean | undefined
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

/**
 * Ends a process that could not start, and says why: in words on a terminal where the cause is one that the person can remove,
 * else in the log. `ports`: the variable that sets each.
 */
export function endFailedStart(
  { isTerminal, printError, host }: Surroundings,
  log: Log,
  error: unknown,
  ports: Readonly<Record<string, number | undefined>>,
): void {
  const words = isTerminal === true ? takenPortWords(error, ports) : undefined
  if (words === undefined) log.fatal({ err: error }, 'cannot start')
  else printError(words)
  host.exit(1)
}

function takenPortWords(
  error: unknown,
  ports: Readonly<Record<string, number | undefined>>,
): string | undefined {
  const { code, port } = Object(error) as { code?: unknown; port?: unknown }
  const [variable] = Object.entries(ports).find(([, each]) => each === port) ?? []
  if (code !== 'EADDRINUSE' || variable === undefined) return undefined
  return `Port ${String(port)} is taken. End the program that has it, or set ${variable} to another port.`
}
