import { NEUTRAL_BRAND, toolVersionKeys } from '../brand.ts'
import { readDialect } from '../dialect.ts'
import type { Package } from '../package.ts'
import { IDENTIFIER_PATTERN } from '../patterns.ts'
import { isTooDeep } from './depth.ts'
import { detectKind, explainUnknownKind } from './document-kind.ts'
import type { DocumentKind, Finding, PackageReport, Report, TextOptions } from './finding.ts'
import { findPackageFaults, TOO_DEEP } from './package-faults.ts'
import { findRepositoryFaults } from './repository-faults.ts'
import { show } from './show.ts'
import { openSource, type Source } from './source.ts'
import { explainSyntax } from './syntax.ts'

const IDENTIFIER = new RegExp(IDENTIFIER_PATTERN)

/**
 * Checks the text of a package, a list of packages or a repository, whichever it is. A package that is invalid leaves
 * the others as they are. How long a text may be is for the caller to say.
 */
export function validateText(text: string, options: TextOptions = {}): Report {
  const source = openSource(text)
  if (!source.isJson)
    return reportOf(undefined, [...source.notes, explainSyntax(source.text, source.positionOf)])
  const { value } = source
  const kind = detectKind(value)
  if (kind === undefined) return reportOf(kind, [...source.notes, explainUnknownKind(value)])
  if (kind === 'repository') {
    const findings = source.locate(findRepositoryFaults(value, options))
    return reportOf(kind, [...source.notes, ...findings])
  }
  if (kind === 'package') return reportOf(kind, source.notes, [packageReport(source, { value, options })])
  const list = value as { readonly packages: readonly unknown[] }
  const repeated = findRepeatedIdentifiers(list.packages)
  return reportOf(
    kind,
    [...source.notes, ...source.locate(findListFaults(list))],
    list.packages.map((each, index) =>
      packageReport(source, { value: each, options, index, warning: repeated.get(index) }),
    ),
  )
}

interface Entry {
  readonly value: unknown
  readonly options: TextOptions
  /** Absent: the package is the document. */
  readonly index?: number
  /** From its place among the others. */
  readonly warning?: Finding | undefined
}

function packageReport(source: Source, { value, options, index, warning }: Entry): PackageReport {
  const found = findPackageFaults(value, options)
  const brand = options.brand ?? NEUTRAL_BRAND
  const neutral = readDialect(value, brand)
  const more = hasNoError(found) ? (options.findMore?.(neutral) ?? []) : []
  const faults = [...found, ...more.map((fault) => inDialect(fault, value, brand))]
  const findings = source.locate(warning === undefined ? faults : [...faults, warning], index)
  const isValid = hasNoError(findings)
  const { identifier } = (value ?? {}) as { readonly identifier?: unknown }
  const isNamed = typeof identifier === 'string' && IDENTIFIER.test(identifier)
  return {
    index: index ?? 0,
    ...(isNamed ? { identifier } : {}),
    isValid,
    findings,
    ...(isValid ? { value: neutral as Package } : {}),
  }
}

/** Whoever looks for more reads neutral names; the text may have the brand's in their place. */
function inDialect(fault: Finding, value: unknown, brand: string): Finding {
  const [, index = '', key = ''] = /^\/versions\/(\d+)\/(tool_version(?:_max)?)$/.exec(fault.pointer) ?? []
  const { versions } = Object(value) as { readonly versions?: readonly unknown[] }
  if (key === '' || Object.hasOwn(Object(versions?.[Number(index)]) as object, key)) return fault
  const { min, max } = toolVersionKeys(brand)
  return { ...fault, pointer: `/versions/${index}/${key === 'tool_version' ? min : max}` }
}

function reportOf(
  kind: DocumentKind | undefined,
  findings: readonly Finding[],
  packages: readonly PackageReport[] = [],
): Report {
  const isValid = hasNoError(findings) && packages.every((each) => each.isValid)
  return { kind, isValid, findings, packages }
}

function hasNoError(findings: readonly Finding[]): boolean {
  return findings.every(({ severity }) => severity !== 'error')
}

/** What is wrong with a list as such, whatever its packages are like. */
function findListFaults(list: { readonly packages: readonly unknown[] }): Finding[] {
  return isTooDeep({ ...list, packages: [] }) ? [TOO_DEEP] : []
}

/**
 * The packages, by index, whose identifier an earlier one has as well. Tools keep one package per identifier, and which
 * one is for them to choose.
 */
function findRepeatedIdentifiers(packages: readonly unknown[]): ReadonlyMap<number, Finding> {
  const seen = new Map<string, number>()
  const findings = new Map<number, Finding>()
  for (const [index, each] of packages.entries()) {
    const { identifier } = (each ?? {}) as { readonly identifier?: unknown }
    if (typeof identifier !== 'string') continue
    const earlier = seen.get(identifier)
    if (earlier === undefined) seen.set(identifier, index)
    else findings.set(index, explainRepeated(identifier, earlier))
  }
  return findings
}

function explainRepeated(identifier: string, earlier: number): Finding {
  const message = `${show(identifier)} is the identifier of package ${earlier} as well`
  return { pointer: '/identifier', message, severity: 'warning', code: 'duplicate_identifier' }
}
