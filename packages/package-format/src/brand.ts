/** The brand of the contract itself. Tools write their own name into the two tool-version fields. */
export const NEUTRAL_BRAND = 'tool'

const BRAND = /^[a-z][a-z0-9]{0,30}$/

export function isBrand(text: string): boolean {
  return BRAND.test(text)
}

/** The names that a brand gives to `tool_version` and `tool_version_max`. */
export function toolVersionKeys(brand: string): { readonly min: string; readonly max: string } {
  if (!isBrand(brand)) throw new TypeError(`${JSON.stringify(brand)} is not a brand: use a word like "kicad"`)
  return { min: `${brand}_version`, max: `${brand}_version_max` }
}

/** The brand in whose dialect all versions of a list are written; absent where that is the neutral one, or cannot be told. */
export function brandOfList(value: unknown): string | undefined {
  const { packages } = Object(value) as { readonly packages?: unknown }
  if (!Array.isArray(packages)) return undefined
  const versions = packages.flatMap((each: { readonly versions?: unknown }) =>
    Array.isArray(each?.versions) ? (each.versions as unknown[]) : [],
  )
  const [first, ...others] = versions.map((version) => new Set(brandsIn(version)))
  const common = [...(first ?? [])].filter((brand) => others.every((brands) => brands.has(brand)))
  return common.length === 1 && common[0] !== NEUTRAL_BRAND ? common[0] : undefined
}

function brandsIn(version: unknown): string[] {
  return Object.keys(Object(version) as object)
    .filter((key) => key.endsWith('_version'))
    .map((key) => key.slice(0, -'_version'.length))
    .filter(isBrand)
}
