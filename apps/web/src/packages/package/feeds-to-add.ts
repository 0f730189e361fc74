import type { PackagePage as Shown } from '@patchbay/contracts/registry'
import { brandsToAdd, type Feed } from '../feeds.ts'

/** For each design tool the first feed that carries the package. None carries a delisted one. */
export function feedsToAdd({ feeds, is_listed }: Shown): Feed[] {
  if (!is_listed) return []
  const brands = brandsToAdd(feeds.map(({ brand }) => brand))
  return brands.flatMap((brand) => feeds.find((feed) => feed.brand === brand) ?? [])
}
