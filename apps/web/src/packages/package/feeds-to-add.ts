import type { PackagePage as Shown } from '@patchbay/contracts'
import { NEUTRAL_BRAND } from '@patchbay/package-format'

export interface FeedToAdd {
  readonly label: string
  readonly url: string
}

/**
 * One address for each design tool: the first that carries the package. Nobody adds the neutral one by hand, and none
 * carries a delisted one.
 */
export function feedsToAdd({ feeds, visibility, is_listed }: Shown): FeedToAdd[] {
  if (!is_listed) return []
  const brands = [...new Set(feeds.map(({ brand }) => brand))].filter((brand) => brand !== NEUTRAL_BRAND)
  const name = visibility === 'private' ? 'Private repository address' : 'Repository address'
  return brands.flatMap((brand) => {
    const feed = feeds.find((each) => each.brand === brand)
    return feed === undefined
      ? []
      : [{ label: brands.length > 1 ? `${name} (${brand})` : name, url: feed.url }]
  })
}
