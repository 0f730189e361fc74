import { isTooDeep } from './depth.ts'
import type { Finding } from './finding.ts'
import { TOO_DEEP } from './package-faults.ts'
import { show } from './show.ts'

/** What is wrong with a list as such, whatever its packages are like. */
export function findListFaults(list: { readonly packages: readonly unknown[] }): Finding[] {
  return isTooDeep({ ...list, packages: [] }) ? [TOO_DEEP] : []
}

/**
 * The packages, by index, whose identifier an earlier one has as well. Tools keep one package per identifier, and which
 * one is for them to choose.
 */
export function findRepeatedIdentifiers(packages: readonly unknown[]): ReadonlyMap<number, Finding> {
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
