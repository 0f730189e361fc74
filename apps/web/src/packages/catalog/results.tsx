import type { PackageSummary } from '@patchbay/contracts/registry'
import { useEffect, useRef } from 'react'
import { Unplugged } from '../../brand/unplugged.tsx'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import type { ListPage } from '../../session/use-list.ts'
import { PackageCard } from './package-card.tsx'
import styles from './results.module.css'
import type { PackageSearch } from './use-package-search.ts'
import { words } from './words.tsx'

interface ResultsProps {
  search: PackageSearch
  title: string
  /** Whether anything narrows the search: then finding nothing has another reason. */
  isNarrowed: boolean
}

/** What was found, in whatever state the answer is. */
export function Results({ search, title, isNarrowed }: ResultsProps) {
  const { answer, isOutdated, reload, more } = search
  return (
    <section aria-labelledby="results" aria-busy={isOutdated} className={styles.results}>
      <header className={styles.header}>
        <h2 id="results" tabIndex={-1} className={styles.title}>
          {title}
        </h2>
        {/* Always there: a live region that comes with its text is not spoken. */}
        <output className={styles.count}>{answer.state === 'loaded' ? tell(answer.value) : ''}</output>
      </header>
      {answer.state === 'loading' && <Skeleton label={words.results.searching} lines={6} />}
      {answer.state === 'failed' && <FailureNotice error={answer.error} retry={reload} />}
      {answer.state === 'loaded' && answer.value.items.length === 0 && <Nothing isNarrowed={isNarrowed} />}
      {answer.state === 'loaded' && answer.value.items.length > 0 && (
        <Cards found={answer.value.items} isOutdated={isOutdated} />
      )}
      {more !== undefined && (
        <div className={styles.more}>
          <FailureNotice error={more.error} />
          <Button isPending={more.isPending} onPress={() => more.run()}>
            {words.results.more}
          </Button>
        </div>
      )}
    </section>
  )
}

function tell({ items, next_cursor }: ListPage<PackageSummary>): string {
  if (items.length === 0) return words.results.countNone
  return next_cursor === null ? words.results.count(items.length) : words.results.countOfMore(items.length)
}

/** When more have come, the first of them gets the focus: the button may have gone, or is far below. */
function Cards({ found, isOutdated }: { found: readonly PackageSummary[]; isOutdated: boolean }) {
  const list = useRef<HTMLUListElement>(null)
  const before = useRef(found)
  useEffect(() => {
    const known = before.current
    before.current = found
    const isLonger =
      found.length > known.length && known[0] === found[0] && known.at(-1) === found[known.length - 1]
    if (isLonger) list.current?.children[known.length]?.querySelector<HTMLElement>('h3 a')?.focus()
  }, [found])
  return (
    <ul ref={list} aria-label={words.results.label} data-outdated={isOutdated} className={styles.cards}>
      {found.map((each) => (
        <li key={each.identifier}>
          <PackageCard found={each} />
        </li>
      ))}
    </ul>
  )
}

function Nothing({ isNarrowed }: { isNarrowed: boolean }) {
  if (!isNarrowed)
    return (
      <EmptyState title={words.nothingPublished.title} picture={<Unplugged cable="registry" />}>
        {words.nothingPublished.text}
      </EmptyState>
    )
  return (
    <EmptyState
      title={words.nothingFound.title}
      picture={<Unplugged cable="registry" />}
      actions={<ButtonLink href="/packages">{words.nothingFound.showAll}</ButtonLink>}
    >
      {words.nothingFound.text}
    </EmptyState>
  )
}
