import { useNow } from './use-now.ts'
import { distanceInWords } from './words.ts'

/** A moment as people say it; the exact time is there for whoever points at it. */
export function When({ at }: { at: string }) {
  const now = useNow()
  const moment = new Date(at)
  return (
    <time dateTime={at} title={moment.toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' })}>
      {distanceInWords(moment, now)}
    </time>
  )
}
