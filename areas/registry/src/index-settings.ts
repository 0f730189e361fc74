import { createHash } from 'node:crypto'
import { NEUTRAL_BRAND } from '@patchbay/package-format'
import type { RegistrySettings } from './deps.ts'

export function servedBrands({ brands }: { readonly brands: readonly string[] }): string[] {
  return [...new Set([NEUTRAL_BRAND, ...brands])]
}

/** The same for people to choose from: what their tool reads comes before what is made for programs. */
export function offeredBrands({ brands }: { readonly brands: readonly string[] }): string[] {
  return [...new Set([...brands, NEUTRAL_BRAND])]
}

/** Of everything that shapes the files of the index: what was made with another one is old. */
export function fingerprintOf(settings: RegistrySettings): string {
  const { publicUrl, repositoryName, feedMaxBytes, trust } = settings
  const parts = [
    servedBrands(settings).toSorted(),
    publicUrl,
    repositoryName,
    feedMaxBytes,
    trust !== undefined,
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
