import { FeedAddresses, OfferedFeeds } from '../feed-addresses.tsx'
import { wholeFeeds } from '../feeds.ts'
import styles from './whole-feed.module.css'
import { words } from './words.tsx'

/** The feed of everything, or what to use where there is too much for one. */
export function WholeFeed() {
  return (
    <aside aria-labelledby="in-your-tool" className={styles.feed}>
      <h2 id="in-your-tool" tabIndex={-1} className={styles.title}>
        {words.wholeFeed.title}
      </h2>
      <OfferedFeeds>
        {({ brands, whole_feed }) =>
          whole_feed === 'too_large' ? (
            <TooLarge />
          ) : (
            <FeedAddresses name={words.wholeFeed.address} feeds={wholeFeeds(brands)} />
          )
        }
      </OfferedFeeds>
    </aside>
  )
}

function TooLarge() {
  return (
    <div className={styles.instead}>
      <p>{words.wholeFeed.tooLarge}</p>
      <p>{words.wholeFeed.instead}</p>
    </div>
  )
}
