import { NEUTRAL_BRAND, toolVersionKeys } from './brand.ts'

/** From a brand's spelling to the neutral one: `kicad_version` becomes `tool_version`. */
export function readDialect(value: unknown, brand: string): unknown {
  return exchange(value, brand)
}

/** From the neutral spelling to a brand's. */
export function writeDialect(value: unknown, brand: string): unknown {
  return exchange(value, brand)
}

/**
 * The two spellings change places. A plain rename would overwrite one when a version carries both, and would turn a
 * key that is unknown in its dialect into one that is not; then what was read could not be written back.
 */
function exchange(value: unknown, brand: string): unknown {
  const names = exchangedNames(brand)
  if (names.size === 0 || !isObject(value)) return value
  const { packages } = value
  if (!Array.isArray(packages)) return exchangeInPackage(value, names)
  return { ...value, packages: packages.map((each) => exchangeInPackage(each, names)) }
}

type Names = ReadonlyMap<string, string>

function exchangedNames(brand: string): Names {
  const own = toolVersionKeys(brand)
  const neutral = toolVersionKeys(NEUTRAL_BRAND)
  if (brand === NEUTRAL_BRAND) return new Map()
  return new Map([
    [own.min, neutral.min],
    [own.max, neutral.max],
    [neutral.min, own.min],
    [neutral.max, own.max],
  ])
}

function exchangeInPackage(value: unknown, names: Names): unknown {
  if (!isObject(value)) return value
  const { versions } = value
  if (!Array.isArray(versions)) return value
  return { ...value, versions: versions.map((version) => exchangeInVersion(version, names)) }
}

function exchangeInVersion(value: unknown, names: Names): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [names.get(key) ?? key, each]))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
