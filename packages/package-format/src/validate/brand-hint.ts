import type { ErrorObject } from 'ajv'
import { NEUTRAL_BRAND, toolVersionKeys } from '../brand.ts'
import { TOOL_VERSION_PATTERN } from '../patterns.ts'
import type { Finding, ValidateOptions } from './finding.ts'

const BRANDED = /^([a-z][a-z0-9]{0,30})_version$/
const TOOL_VERSION = new RegExp(TOOL_VERSION_PATTERN)

/** A version without its tool version that has one in another dialect: the file is fine, its reader is not. */
export function explainBrand(
  { keyword, params }: ErrorObject,
  version: unknown,
  { brand = NEUTRAL_BRAND }: ValidateOptions,
): Finding | undefined {
  const { min } = toolVersionKeys(brand)
  if (keyword !== 'required' || params['missingProperty'] !== min) return undefined
  const other = brandOf(version)
  if (other === undefined) return undefined
  const advice = other === NEUTRAL_BRAND ? 'without --tool-brand' : `with --tool-brand ${other}`
  const message = `"${min}" is missing and "${other}_version" is there: read it ${advice}`
  return { pointer: '', message, severity: 'error', code: 'brand' }
}

/** The brand that a version is written in. */
function brandOf(version: unknown): string | undefined {
  const [brand] = Object.entries(version ?? {}).flatMap(([key, value]) =>
    typeof value === 'string' && TOOL_VERSION.test(value) ? (BRANDED.exec(key)?.slice(1) ?? []) : [],
  )
  return brand
}
