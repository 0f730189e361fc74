import { useSearchParams } from 'react-router'
import { Page } from '../../shell/page.tsx'
import { FeedAddress } from '../feed-address.tsx'
import { wholeFeedUrl } from '../feeds.ts'
import styles from './catalogue.module.css'
import { type FilterName, readQuery, withFilter } from './catalogue-query.ts'
import { FilterFields } from './filter-fields.tsx'
import { Results } from './results.tsx'
import { usePackageSearch } from './use-package-search.ts'

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
          <aside aria-labelledby="in-your-tool" className={styles.feed}>
            <h2 id="in-your-tool" className={styles.feedTitle}>
              All of these in your design tool
            </h2>
            <FeedAddress label="Repository address" value={wholeFeedUrl()} />
          </aside>
        </div>
      </div>
    </Page>
  )
}
