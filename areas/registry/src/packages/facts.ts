import type { Package } from '@patchbay/package-format'
import { searchVector } from './search-words.ts'

/** What an archive says about its package. */
export type PackageFacts = Omit<Package, 'versions'>

export function factsOf({ versions: _versions, ...facts }: Package): PackageFacts {
  return facts
}

/** The columns of `packages` that follow one of its versions. */
export function factColumns(facts: PackageFacts, iconSha256: string | null) {
  // The index signature of `Package` leaves `unknown` for what is omitted.
  const { type, name, description, author, license, tags = [] } = facts as Package
  return {
    type,
    name,
    description,
    author: author.name,
    license,
    tags: [...tags],
    metadata: JSON.stringify(facts),
    icon_sha256: iconSha256,
    search: searchVector(facts as Package),
  }
}
