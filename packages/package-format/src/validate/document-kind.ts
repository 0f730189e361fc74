import type { DocumentKind, Finding } from './finding.ts'

/** What a document is meant to be, by the keys that only one kind has. */
export function detectKind(value: unknown): DocumentKind | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { packages } = value as { readonly packages?: unknown }
  if (Array.isArray(packages)) return 'package-array'
  if (Object.hasOwn(value, 'identifier') || Object.hasOwn(value, 'versions')) return 'package'
  return packages === undefined ? undefined : 'repository'
}

export function explainUnknownKind(value: unknown): Finding {
  const advice = Array.isArray(value)
    ? 'a list of packages is an object: { "packages": [ … ] }'
    : 'a package has an "identifier" and "versions", a list has "packages" in an array, a repository names them by "url"'
  return {
    pointer: '',
    message: `neither a package, nor a list of packages, nor a repository: ${advice}`,
    severity: 'error',
    code: 'unknown_kind',
  }
}
