import { type ReactNode, useEffect } from 'react'
import { CopyField } from '../components/copy-field.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { FailureNotice } from '../server/failure-notice.tsx'
import { type Loaded, useLoaded } from '../session/use-loaded.ts'
import styles from './feed-addresses.module.css'
import type { Feed, FeedOffer } from './feeds.ts'
import { fetchFeedOffer } from './packages.api.ts'
import { words } from './words.ts'

let known: FeedOffer | undefined

/**
 * Which feeds this installation has. What was known before is shown until the answer comes: whoever goes back to a page
 * would find everything moved by what appears above it.
 */
function useFeedOffer(): Loaded<FeedOffer> {
  const { answer, reload } = useLoaded(fetchFeedOffer)
  useEffect(() => {
    if (answer.state === 'loaded') known = answer.value
  }, [answer])
  return {
    answer: answer.state === 'loaded' || known === undefined ? answer : { state: 'loaded', value: known },
    reload,
  }
}

interface FeedAddressesProps {
  name: string
  /** One for each design tool. */
  feeds: readonly Feed[]
  /** What to do with it, where that is not the usual. */
  how?: ReactNode
}

/** Addresses that design tools read packages from, and what to do with them. */
export function FeedAddresses({ name, feeds, how }: FeedAddressesProps) {
  if (feeds.length === 0) return null
  const isChoice = feeds.length > 1
  return (
    <div className={styles.feeds}>
      {isChoice && <p className={styles.how}>{words.feeds.chooseTool}</p>}
      {feeds.map(({ brand, url }) => (
        <CopyField key={brand} label={isChoice ? words.feeds.forTool(name, brand) : name} value={url} />
      ))}
      <p className={styles.how}>{how ?? words.feeds.howToAdd}</p>
    </div>
  )
}

interface OfferedFeedsProps {
  children: (offer: FeedOffer) => ReactNode
}

/** Asks which feeds there are, and shows what is made of the answer. */
export function OfferedFeeds({ children }: OfferedFeedsProps) {
  const { answer, reload } = useFeedOffer()
  if (answer.state === 'loading') return <Skeleton label={words.feeds.loading} lines={2} />
  if (answer.state === 'failed') return <FailureNotice error={answer.error} retry={reload} />
  return children(answer.value)
}
