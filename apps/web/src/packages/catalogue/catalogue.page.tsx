import { useSearchParams } from 'react-router'
import { Page } from '../../shell/page.tsx'
import styles from './catalogue.module.css'
import { type FilterName, readQuery, withFilter } from './catalogue-query.ts'
import { FilterFields } from './filter-fields.tsx'
import { Results } from './results.tsx'
import { usePackageSearch } from './use-package-search.ts'
import { WholeFeed } from './whole-feed.tsx'

export function CataloguePage() {
  const [params, setParams] = useSearchParams()
  const query = readQuery(params)
  const search = usePackageSearch(query)
  const isNarrowed = Object.keys(query).length > 0
  const set = (name: FilterName, value: string) =>
    setParams(withFilter(params, name, value), { preventScrollReset: true })
  return (
    <Page
      title="Packages"
      lead="Plugins, libraries and colour themes for your design tool, published on this installation."
    >
      <div className={styles.catalogue}>
        <FilterFields query={query} set={set} />
        <div className={styles.columns}>
          <Results
            search={search}
            title={isNarrowed ? 'Results' : 'Recently updated'}
            isNarrowed={isNarrowed}
          />
          <WholeFeed />
        </div>
      </div>
    </Page>
  )
}
