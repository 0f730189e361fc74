import { useSearchParams } from 'react-router'
import { Page } from '../../shell/page.tsx'
import styles from './catalog.module.css'
import { type FilterName, readQuery, withFilter } from './catalog-query.ts'
import { FilterFields } from './filter-fields.tsx'
import { Results } from './results.tsx'
import { usePackageSearch } from './use-package-search.ts'
import { WholeFeed } from './whole-feed.tsx'
import { words } from './words.tsx'

export function CatalogPage() {
  const [params, setParams] = useSearchParams()
  const query = readQuery(params)
  const search = usePackageSearch(query)
  const isNarrowed = Object.keys(query).length > 0
  const set = (name: FilterName, value: string) =>
    setParams(withFilter(params, name, value), { preventScrollReset: true })
  return (
    <Page title={words.title} lead={words.lead}>
      <div className={styles.catalog}>
        <FilterFields query={query} set={set} />
        <div className={styles.columns}>
          <Results
            search={search}
            title={isNarrowed ? words.results.found : words.results.recent}
            isNarrowed={isNarrowed}
          />
          <WholeFeed />
        </div>
      </div>
    </Page>
  )
}
