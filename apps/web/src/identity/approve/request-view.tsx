import type { IntentDecision } from '@patchbay/contracts/identity'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { SignedInAs } from '../signed-in-as.tsx'
import { Consequences } from './consequences.tsx'
import { RequestFacts } from './request-facts.tsx'
import styles from './request-view.module.css'
import { TimeLeft } from './time-left.tsx'
import type { ReadyApproval } from './use-approval.ts'
import { words } from './words.tsx'

const DECISIONS = [
  { decision: 'decline', label: words.decisions.decline },
  { decision: 'approve', label: words.decisions.approve },
] as const

/** What a person should know before they decide, and the two decisions, neither of which is the easier one. */
export function RequestView({ asked, person, decide, lookAgain }: ReadyApproval) {
  const { request, endsAt } = asked
  const [pressed, setPressed] = useState<IntentDecision>()
  return (
    <>
      <RequestFacts request={request} />
      <div className={styles.compare}>
        <p>{words.compare.request}</p>
        <p className={styles.words}>{request.confirmation_code}</p>
        <p className={styles.hint}>{words.compare.hint}</p>
      </div>
      {request.is_watched_by_others && (
        <Notice title={words.watched.title} tone="warning" isLive>
          {words.watched.detail}
        </Notice>
      )}
      <Consequences />
      <div className={styles.who}>
        <SignedInAs person={person} />
      </div>
      <FailureNotice error={decide.error} />
      <div className={styles.decision}>
        {DECISIONS.map(({ decision, label }) => (
          <Button
            key={decision}
            size="lg"
            isPending={decide.isPending && pressed === decision}
            isDisabled={decide.isPending && pressed !== decision}
            onPress={() => {
              setPressed(decision)
              decide.run(decision)
            }}
          >
            {label}
          </Button>
        ))}
      </div>
      <TimeLeft endsAt={endsAt} onEnd={lookAgain} />
    </>
  )
}
