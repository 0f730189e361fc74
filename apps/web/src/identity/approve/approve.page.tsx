import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { readSecret } from '../../secrets/secret-in-address.ts'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { Sheet } from '../sheet.tsx'
import { SignInPanel } from '../sign-in/sign-in-panel.tsx'
import { ApprovalEnd } from './approval-end.tsx'
import { APPROVAL_HEADERS } from './headers.ts'
import { RequestView } from './request-view.tsx'
import { type Approval, type UnsureApproval, useApproval } from './use-approval.ts'
import { words } from './words.tsx'

/** Where the link of an application leads: somebody decides whether it may act for them. */
export function ApprovePage() {
  const [token] = useState(() => readSecret('/approve'))
  const approval = useApproval(token)
  return (
    <Sheet {...APPROVAL_HEADERS[approval.state]}>
      <Content approval={approval} />
    </Sheet>
  )
}

function Content({ approval }: { approval: Approval }) {
  if (approval.state === 'loading') return <Skeleton label={words.loading} lines={6} />
  if (approval.state === 'failed') return <FailureNotice error={approval.error} retry={approval.retry} />
  if (approval.state === 'signed-out') {
    return (
      <>
        <FailureNotice error={approval.error} />
        <SignInPanel returnTo="/approve" />
      </>
    )
  }
  if (approval.state === 'ready') return <RequestView {...approval} />
  if (approval.state === 'approve-unsure' || approval.state === 'decline-unsure')
    return <Unsure {...approval} />
  return <ApprovalEnd state={approval.state} />
}

/** The answer to a decision was lost. Nothing can be decided until the server has said where the request stands. */
function Unsure({ error, isLooking, lookAgain }: UnsureApproval) {
  return (
    <>
      <FailureNotice error={error} />
      <Button size="lg" isPending={isLooking} onPress={lookAgain}>
        {words.checkAgain}
      </Button>
    </>
  )
}
