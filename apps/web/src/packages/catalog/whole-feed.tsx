import { FeedAddresses, OfferedFeeds } from '../feed-addresses.tsx'
import { wholeFeeds } from '../feeds.ts'
import styles from './whole-feed.module.css'

/** The feed of everything, or what to use where there is too much for one. */
export function WholeFeed() {
  return (
    <aside aria-labelledby="in-your-tool" className={styles.feed}>
      <h2 id="in-your-tool" tabIndex={-1} className={styles.title}>
        Add all of these to your design tool
      </h2>
      <OfferedFeeds>
        {({ brands, whole_feed }) =>
          whole_feed === 'too_large' ? (
            <TooLarge />
          ) : (
            <FeedAddresses name="Repository address" feeds={wholeFeeds(brands)} />
          )
        }
      </OfferedFeeds>
    </aside>
  )
}

function TooLarge() {
  return (
    <div className={styles.instead}>
      <p>There are too many packages here for one list that a design tool can read.</p>
      <p>
        Add the repositories of the publishers that you need: the address is on each publisher’s page. The
        command on a package’s page, and the sparse files of single packages, work as well.
      </p>
    </div>
  )
}
