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
