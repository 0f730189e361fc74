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

const DECISIONS = [
  { decision: 'decline', label: 'Decline' },
  { decision: 'approve', label: 'Approve' },
] as const

/** What a person should know before they decide, and the two decisions, neither of which is the easier one. */
export function RequestView({ asked, person, decide, lookAgain }: ReadyApproval) {
  const { request, endsAt } = asked
  const [pressed, setPressed] = useState<IntentDecision>()
  return (
    <>
      <RequestFacts request={request} />
      <div className={styles.compare}>
        <p>Compare these two words with those on the application’s screen:</p>
        <p className={styles.words}>{request.confirmation_code}</p>
        <p className={styles.hint}>If they differ, or you did not start this yourself just now, decline.</p>
      </div>
      {request.is_watched_by_others && (
        <Notice title="Someone else may be watching this request" tone="warning" isLive>
          Two different programs are waiting for your approval. Someone else may have seen the link. If in
          doubt, decline and start again in the application.
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
