import { readFileSync, statSync } from 'node:fs'
import { closest, distance } from 'fastest-levenshtein'
import type { Setting } from './setting.ts'

// Settings of different value types stand in one record; each is only ever paired with its own parser.
type AnySetting = Setting<unknown>
export type Settings = Readonly<Record<string, AnySetting>>

export type Values<Definition extends Settings> = {
  readonly [Name in keyof Definition]: Definition[Name] extends Setting<infer Value> ? Value : never
}

interface ProcessSettings<Definition extends Settings> {
  readonly process: string
  readonly settings: Definition
  /** Conditions between settings. Each returned fault names the variable to change. */
  readonly conditions?: (values: Values<Definition>) => readonly Fault[]
}

export interface ConfigDefinition<Definition extends Settings> extends ProcessSettings<Definition> {
  /** All that are read, those that name a file among them. */
  readonly variables: readonly string[]
}

export interface Fault {
  readonly variable: string
  readonly wrong: string
  readonly meaning?: string
}

export type Environment = Readonly<Record<string, string | undefined>>

const OUR_PREFIX = 'PATCHBAY_'
/** A secret may stand in a file instead, as Docker and Kubernetes mount them: `DATABASE_URL_FILE`. */
const FILE_SUFFIX = '_FILE'
/** No secret is as long; a name given by mistake must not be read without end. */
const MOST_FILE_BYTES = 65_536

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly Fault[]

  constructor(process: string, faults: readonly Fault[]) {
    const lines = faults.map(({ variable, wrong, meaning }) =>
      meaning === undefined ? `  ${variable}: ${wrong}` : `  ${variable}: ${wrong}\n      ${meaning}`,
    )
    const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`
    super(`The configuration of ${process} has ${count}:\n${lines.join('\n')}`)
    this.faults = faults
  }
}

export function defineConfig<const Definition extends Settings>(
  definition: ProcessSettings<Definition>,
): ConfigDefinition<Definition> {
  const variables = Object.values<AnySetting>(definition.settings).flatMap(({ variable, secret }) =>
    secret ? [variable, `${variable}${FILE_SUFFIX}`] : [variable],
  )
  return { ...definition, variables }
}

/**
 * Reads the whole configuration or throws one `ConfigError` with every fault.
 * `alsoKnown` are variables of other processes: one environment file may serve them all.
 */
export function readConfig<Definition extends Settings>(
  { process, settings, variables, conditions }: ConfigDefinition<Definition>,
  environment: Environment,
  alsoKnown: readonly string[] = [],
): Values<Definition> {
  const values: Record<string, unknown> = {}
  const faults: Fault[] = []
  for (const [name, setting] of Object.entries(settings)) {
    const result = readSetting(setting, environment)
    if ('fault' in result) faults.push(result.fault)
    else values[name] = result.value
  }
  const known = [...variables, ...alsoKnown]
  faults.push(...unknownVariables(environment, known))
  if (faults.length > 0) throw new ConfigError(process, faults)

  const complete = values as Values<Definition>
  const broken = conditions?.(complete) ?? []
  if (broken.length > 0) throw new ConfigError(process, broken)
  return Object.freeze(complete)
}

function readSetting(setting: AnySetting, environment: Environment): { value: unknown } | { fault: Fault } {
  const { variable, meaning, fallback } = setting
  try {
    const given = setting.secret ? readSecret(variable, environment) : environment[variable]?.trim()
    // Compose files and unit files pass an unset variable on as an empty one.
    if (given !== undefined && given !== '') return { value: setting.parse(given) }
    if (!setting.required) return { value: fallback }
    return { fault: { variable, meaning, wrong: `is not set; it takes ${setting.accepts}` } }
  } catch (error) {
    return { fault: { variable, meaning, wrong: (error as Error).message } }
  }
}

function readSecret(variable: string, environment: Environment): string | undefined {
  const given = environment[variable]?.trim()
  const path = environment[`${variable}${FILE_SUFFIX}`]?.trim()
  if (path === undefined || path === '') return given
  if (given !== undefined && given !== '')
    throw new Error(`is set, and so is ${variable}${FILE_SUFFIX}; only one of them can be`)
  return readSecretFile(path)
}

function readSecretFile(path: string): string {
  let found: string
  try {
    if (statSync(path).size > MOST_FILE_BYTES) throw new Error(`it is longer than ${MOST_FILE_BYTES} bytes`)
    found = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new Error(`the file ${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  if (found === '') throw new Error(`the file ${path} is empty`)
  return found
}

function unknownVariables(environment: Environment, known: readonly string[]): Fault[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith(OUR_PREFIX) && !known.includes(name))
    .map((variable) => {
      // Further away it is another word, not a slip of the keyboard.
      const most = Math.max(2, Math.floor(variable.length / 4))
      const near = known.filter((name) => distance(variable, name) <= most)
      const guess = near.length === 0 ? '' : `; did you mean ${closest(variable, near)}?`
      return { variable, wrong: `is not a setting${guess}` }
    })
}
