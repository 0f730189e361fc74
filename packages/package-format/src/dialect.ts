import { NEUTRAL_BRAND, toolVersionKeys } from './brand.ts'
import { TOOL_VERSION_PATTERN } from './patterns.ts'
import { YANKED_VERSIONS } from './yanked.ts'

const TOOL_VERSION = new RegExp(TOOL_VERSION_PATTERN)

/** From a brand's spelling to the neutral one: `kicad_version` becomes `tool_version`. */
export function readDialect(value: unknown, brand: string): unknown {
  return exchange(value, brand)
}

/** From the neutral spelling to a brand's. */
export function writeDialect(value: unknown, brand: string): unknown {
  return exchange(value, brand)
}

/**
 * For whoever chooses as the brand's own tool does: of a version that carries both spellings, what the brand's says counts
 * as `tool_version`. Nothing to write back: the neutral values are gone.
 */
export function readForTool(value: unknown, brand: string): unknown {
  const names = exchangedNames(brand)
  if (names.size === 0) return value
  const { min, max } = toolVersionKeys(brand)
  return changeVersions(value, (version) => {
    if (!carriesBoth(version, names)) return exchangeKeys(version, names)
    const { tool_version: _min, tool_version_max: _max, [min]: oldest, [max]: newest, ...rest } = version
    return { ...rest, tool_version: oldest, ...(newest === undefined ? {} : { tool_version_max: newest }) }
  })
}

/**
 * The two spellings change places. A plain rename would turn a key that is unknown in its dialect into one that is not;
 * then what was read could not be written back. A version that says both keeps both as they are: each is what readers of
 * that dialect shall see, and exchanged they would see each other's.
 */
function exchange(value: unknown, brand: string): unknown {
  const names = exchangedNames(brand)
  if (names.size === 0) return value
  return changeVersions(value, (version) =>
    carriesBoth(version, names) ? version : exchangeKeys(version, names),
  )
}

type Names = ReadonlyMap<string, string>
type Fields = Readonly<Record<string, unknown>>

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

/** In a package, and in each of a list. */
function changeVersions(value: unknown, change: (version: Fields) => Fields): unknown {
  if (!isObject(value)) return value
  const { packages } = value
  if (!Array.isArray(packages)) return changeInPackage(value, change)
  return { ...value, packages: packages.map((each) => changeInPackage(each, change)) }
}

const VERSION_LISTS = ['versions', YANKED_VERSIONS]

function changeInPackage(value: unknown, change: (version: Fields) => Fields): unknown {
  if (!isObject(value)) return value
  const changed = VERSION_LISTS.flatMap((key): [string, unknown][] => {
    const versions = value[key]
    if (!Array.isArray(versions)) return []
    return [[key, versions.map((version) => (isObject(version) ? change(version) : version))]]
  })
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }
}

/** Both tell an oldest tool, and nothing that they tell is something else: that would be invalid in the other dialect. */
function carriesBoth(version: Fields, names: Names): boolean {
  const told = [...names.keys()].filter((key) => Object.hasOwn(version, key))
  const [ownMin = '', , neutralMin = ''] = names.keys()
  return (
    told.includes(ownMin) &&
    told.includes(neutralMin) &&
    told.every((key) => typeof version[key] === 'string' && TOOL_VERSION.test(version[key]))
  )
}

function exchangeKeys(version: Fields, names: Names): Fields {
  return Object.fromEntries(Object.entries(version).map(([key, each]) => [names.get(key) ?? key, each]))
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
