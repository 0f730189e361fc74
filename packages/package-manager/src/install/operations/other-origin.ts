import type { PackageOffer } from '../install-source.ts'
import type { Generation } from '../installed-package.ts'

/** Whoever lists an identifier first would otherwise take over what others installed. */
export function isOfOtherOrigin({ origin }: Pick<Generation, 'origin'>, offer: PackageOffer): boolean {
  return origin !== undefined && origin !== offer.origin
}
