import { useEffect } from 'react'
import { type Loaded, useLoaded } from '../session/use-loaded.ts'
import type { FeedOffer } from './feeds.ts'
import { fetchFeedOffer } from './packages.api.ts'

let known: FeedOffer | undefined

/**
 * Which feeds this installation has. What was known before is shown until the answer comes: whoever goes back to a page
 * would find everything moved by what appears above it.
 */
export function useFeedOffer(): Loaded<FeedOffer> {
  const { answer, reload } = useLoaded(fetchFeedOffer)
  useEffect(() => {
    if (answer.state === 'loaded') known = answer.value
  }, [answer])
  return {
    answer: answer.state === 'loaded' || known === undefined ? answer : { state: 'loaded', value: known },
    reload,
  }
}
