import { explainBrand } from './brand-hint.ts'
import { compiledCheck, errorsOf } from './compiled.ts'
import { isTooDeep, MAX_DEPTH } from './depth.ts'
import { explain } from './explain.ts'
import type { Finding, ValidateOptions } from './finding.ts'
import { createPackageValidator } from './package-validator.ts'
import { MAX_ENTRIES, pruneEntries } from './prune.ts'
import { findRepeated } from './unique-items.ts'
import { findConfusedVersions } from './version-faults.ts'

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
