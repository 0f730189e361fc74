import type { ErrorObject } from 'ajv'
import { NEUTRAL_BRAND, toolVersionKeys } from '../brand.ts'
import { TOOL_VERSION_PATTERN, VERSION_PATTERN } from '../patterns.ts'
import { versionKey } from '../version.ts'
import { compiledCheck, errorsOf } from './compiled.ts'
import { isTooDeep, MAX_DEPTH } from './depth.ts'
import { explain } from './explain.ts'
import type { Finding, ValidateOptions } from './finding.ts'
import { createPackageValidator } from './package-validator.ts'
import { MAX_ENTRIES, pruneEntries } from './prune.ts'
import { show } from './show.ts'
import { findRepeated } from './unique-items.ts'

const VERSION = new RegExp(VERSION_PATTERN)

/** Versions that the contract allows beside each other and that people and tools take for one. */
function findConfusedVersions(versions: readonly unknown[]): Finding[] {
  const byText = new Map<string, number>()
  const byKey = new Map<string, { readonly index: number; readonly text: string }>()
  return versions.flatMap((version, index): Finding[] => {
    const read = readVersion(version)
    if (read === undefined) return []
    const { text, key } = read
    const pointer = `/versions/${index}/version`
    const same = byText.get(text)
    const equal = byKey.get(key)
    byText.set(text, same ?? index)
    byKey.set(key, equal ?? { index, text })
    if (same !== undefined) {
      const message = `${show(text)} is the version of entry ${same} as well: tools tell versions apart by this text`
      return [{ pointer, message, severity: 'warning', code: 'duplicate_version' }]
    }
    if (equal === undefined) return []
    const message = `${show(text)} ranks the same as ${show(equal.text)} of entry ${equal.index}: neither updates the other`
    return [{ pointer, message, severity: 'warning', code: 'equal_version' }]
  })
}

function readVersion(value: unknown): { readonly text: string; readonly key: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { version, version_epoch = 0 } = value as Readonly<Record<string, unknown>>
  if (typeof version !== 'string' || !VERSION.test(version) || typeof version_epoch !== 'number')
    return undefined
  return { text: version, key: versionKey({ version, version_epoch }).join('.') }
}

const BRANDED = /^([a-z][a-z0-9]{0,30})_version$/
const TOOL_VERSION = new RegExp(TOOL_VERSION_PATTERN)

/** A version without its tool version that has one in another dialect: the file is fine, its reader is not. */
function explainBrand(
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

/** Beyond this nobody reads on, and a hostile document would only cost memory. */
export const MAX_FINDINGS = 100

/** What is wrong with a package, errors first. Warnings leave it valid. */
export function findPackageFaults(value: unknown, options: ValidateOptions = {}): Finding[] {
  if (isTooDeep(value)) return [TOO_DEEP]
  const errors = createPackageValidator(options)(value) ? [] : findErrors(value, options)
  return [...errors, ...findConfusedVersions(versionsOf(value))].slice(0, MAX_FINDINGS)
}

export const TOO_DEEP: Finding = {
  pointer: '',
  message: `must not nest more than ${MAX_DEPTH} objects and arrays in each other`,
  severity: 'error',
  code: 'too_deep',
}

const BEYOND: Finding = {
  pointer: '',
  message: `has a fault beyond the first ${MAX_ENTRIES} entries of an array or object`,
  severity: 'error',
  code: 'beyond',
}

function findErrors(value: unknown, options: ValidateOptions): Finding[] {
  const versions = versionsOf(value)
  const findings = errorsOf('Package', pruneEntries(withoutVersions(value)), options).map(explain)
  const repeated = findRepeated(versions)
  if (repeated !== undefined) findings.push(explainRepeatedVersion(...repeated))
  const isVersion = compiledCheck('PackageVersion', 'first fault', options)
  let hasBrand = false
  // One at a time: all faults of a million versions would not fit into memory.
  for (let index = 0; index < versions.length && findings.length < MAX_FINDINGS; index += 1) {
    if (isVersion(versions[index])) continue
    const found = findVersionErrors(versions[index], index, options)
    // A wrong dialect is one mistake, however many versions it shows in.
    findings.push(...found.filter(({ code }) => code !== 'brand' || !hasBrand))
    hasBrand ||= found.some(({ code }) => code === 'brand')
  }
  return findings.length === 0 ? [BEYOND] : findings
}

function findVersionErrors(version: unknown, index: number, options: ValidateOptions): Finding[] {
  const base = `/versions/${index}`
  return errorsOf('PackageVersion', pruneEntries(version), options).map((error) => {
    const finding = explainBrand(error, version, options) ?? explain(error)
    return { ...finding, pointer: base + finding.pointer }
  })
}

function explainRepeatedVersion(earlier: number, later: number): Finding {
  const message = `must not repeat items: ${later} is the same as ${earlier}`
  return { pointer: '/versions', message, severity: 'error', code: 'duplicate_item' }
}

function versionsOf(value: unknown): readonly unknown[] {
  const { versions } = (value ?? {}) as { readonly versions?: unknown }
  return Array.isArray(value) || !Array.isArray(versions) ? [] : versions
}

function withoutVersions(value: unknown): unknown {
  return versionsOf(value).length === 0 ? value : { ...(value as object), versions: [] }
}
