import { address, type CallResult } from '@patchbay/contracts/core'
import { getFeed, type getFeeds, getOwnerFeed } from '@patchbay/contracts/registry'
import { NEUTRAL_BRAND } from '@patchbay/package-format'

/** Which feeds this installation has. */
export type FeedOffer = CallResult<typeof getFeeds>['body']

/** An address that a design tool of this brand reads. */
export interface Feed {
  readonly brand: string
  readonly url: string
}

/** What people add by hand. The neutral one is for programs, unless the installation serves no other. */
export function brandsToAdd(brands: readonly string[]): string[] {
  const branded = [...new Set(brands)].filter((brand) => brand !== NEUTRAL_BRAND)
  return branded.length === 0 ? [NEUTRAL_BRAND] : branded
}

/** Of every public package of this installation. */
export function wholeFeeds(brands: readonly string[]): Feed[] {
  return brandsToAdd(brands).map((brand) => ({
    brand,
    url: location.origin + address(getFeed.path, { params: { brand } }),
  }))
}

export function ownerFeeds(brands: readonly string[], owner: string): Feed[] {
  return brandsToAdd(brands).map((brand) => ({
    brand,
    url: location.origin + address(getOwnerFeed.path, { params: { brand, owner } }),
  }))
}

/** With the server: on the machine of whoever copies it, another one may be the usual. */
export function installCommand(identifier: string): string {
  return `patchbay install ${identifier} --server ${location.origin}`
}
