import { durationInWords } from '../../time/words.ts'
import type { IntentRequest } from './approve.api.ts'
import styles from './request-facts.module.css'
import { words } from './words.tsx'

/** Who asks, from where, and for how long. The label is the application's own claim, and says so. */
export function RequestFacts({ request }: { request: IntentRequest['request'] }) {
  const { label, requested_from: from, max_age } = request
  return (
    <dl className={styles.facts}>
      <div className={styles.fact}>
        <dt>{label === null ? words.facts.unnamed.term : words.facts.named.term}</dt>
        <dd>
          {label === null ? (
            words.facts.unnamed.value
          ) : (
            <>
              <bdi className={styles.label}>{label}</bdi>
              <span className={styles.remark}>{words.facts.named.remark}</span>
            </>
          )}
        </dd>
      </div>
      <div className={styles.fact}>
        <dt>{words.facts.requestedFrom}</dt>
        <dd>
          <bdi>{from.device}</bdi>
          {', '}
          <span className={styles.network}>{from.network}</span>
          {remarksOn(from).map((remark) => (
            <span key={remark} className={styles.remark}>
              {remark}
            </span>
          ))}
        </dd>
      </div>
      <div className={styles.fact}>
        <dt>{words.facts.sessionLength}</dt>
        <dd>{durationInWords(max_age)}</dd>
      </div>
    </dl>
  )
}

/**
 * A page asks from the network of whoever opened it: that it is the same one says nothing about who made it. Another one
 * is told in any case: a program can name any site, and would hide behind it.
 */
function remarksOn({ site, is_your_network }: IntentRequest['request']['requested_from']): string[] {
  const onSite = site === null ? [] : [words.facts.siteNotVerified]
  if (!is_your_network) return [...onSite, words.facts.otherNetwork]
  return site === null ? [words.facts.sameNetwork] : onSite
}
