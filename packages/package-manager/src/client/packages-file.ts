import { IDENTIFIER_PATTERN, NEUTRAL_BRAND, type Package, readForTool } from '@patchbay/package-format'
import {
  createPackageValidator,
  type Finding,
  findPackageFaults,
  validateText,
} from '@patchbay/package-format/validate'
import { yieldToEventLoop } from '@patchbay/primitives/async'
import { shownAddress } from './address.ts'
import { jsonTextOf } from './content.ts'
import { RepositoryFailure } from './failure.ts'
import { describe } from './repository-file.ts'
import type { QuarantinedPackage } from './source.ts'

export interface ParsedPackages {
  readonly packages: readonly Package[]
  readonly quarantined: readonly QuarantinedPackage[]
}

const IDENTIFIER = new RegExp(IDENTIFIER_PATTERN)
const MOST_PACKAGES = 200_000
/** Explaining takes a thousand times as long as finding out, and nobody reads on. */
const MOST_EXPLAINED = 100
const AT_A_TIME = 1000

/** One for all, so that a list of nothing but faults takes no memory of its own. */
const NOT_EXPLAINED: readonly Finding[] = [
  {
    pointer: '/packages',
    message: `is invalid as well; of one list, ${MOST_EXPLAINED} packages are explained`,
    severity: 'error',
    code: 'not_explained',
  },
]

/** packages.json, package by package: one that is broken costs nobody else theirs. Others get their turn meanwhile. */
export async function parsePackages(
  bytes: Uint8Array,
  url: URL,
  brand = NEUTRAL_BRAND,
  signal?: AbortSignal,
): Promise<ParsedPackages> {
  const text = jsonTextOf(bytes, url)
  const list = listOf(text)
  if (list === undefined) throw refusal(text, url)
  if (list.length > MOST_PACKAGES) {
    throw new RepositoryFailure('too_large', `${list.length} packages; at most ${MOST_PACKAGES} are read`, {
      url: shownAddress(url),
    })
  }
  const options = { brand, urls: 'compat' } as const
  // Lists are large and mostly right. Finding out where in the text a fault is takes ten times as long as this.
  const isPackage = createPackageValidator(options)
  const packages: Package[] = []
  const quarantined: QuarantinedPackage[] = []
  const seen = new Map<string, number>()
  for (const [index, value] of list.entries()) {
    if (index % AT_A_TIME === AT_A_TIME - 1) await yieldToEventLoop()
    signal?.throwIfAborted()
    const identifier = identifierOf(value)
    const first = identifier === undefined ? undefined : seen.get(identifier.toLowerCase())
    if (identifier !== undefined && first === undefined) seen.set(identifier.toLowerCase(), index)
    if (isPackage(value) && first === undefined) {
      packages.push(readForTool(value, brand) as Package)
      continue
    }
    const explain = () => {
      const faults = first === undefined ? findPackageFaults(value, options) : [repeated(first)]
      return faults.map((fault) => ({ ...fault, pointer: `/packages/${index}${fault.pointer}` }))
    }
    const findings = quarantined.length < MOST_EXPLAINED ? explain() : NOT_EXPLAINED
    quarantined.push({ ...(identifier === undefined ? {} : { identifier }), findings })
  }
  return { packages, quarantined }
}

function listOf(text: string): readonly unknown[] | undefined {
  try {
    const { packages } = (JSON.parse(text) ?? {}) as { readonly packages?: unknown }
    return Array.isArray(packages) ? packages : undefined
  } catch {
    return undefined
  }
}

function refusal(text: string, url: URL): RepositoryFailure {
  const { kind, findings } = validateText(text, { urls: 'compat' })
  const what = kind === undefined ? describe(findings[0]) : `it is a ${kind}, not a list of packages`
  return new RepositoryFailure('malformed', what, { url: shownAddress(url), findings })
}

function identifierOf(value: unknown): string | undefined {
  const { identifier } = (value ?? {}) as { readonly identifier?: unknown }
  return typeof identifier === 'string' && IDENTIFIER.test(identifier) ? identifier : undefined
}

function repeated(first: number): Finding {
  const message = `is the identifier of package ${first} as well; the first one counts`
  return { pointer: '/identifier', message, severity: 'error', code: 'duplicate_identifier' }
}
