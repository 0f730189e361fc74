import { address, getFeed, getOwnerFeed } from '@patchbay/contracts'

/** What existing design tools read. */
const BRAND = 'kicad'

/** Of every public package of this installation. */
export function wholeFeedUrl(): string {
  return location.origin + address(getFeed.path, { params: { brand: BRAND } })
}

export function ownerFeedUrl(owner: string): string {
  return location.origin + address(getOwnerFeed.path, { params: { brand: BRAND, owner } })
}

/** With the server: on the machine of whoever copies it, another one may be the usual. */
export function installCommand(identifier: string): string {
  return `patchbay install ${identifier} --server ${location.origin}`
}
