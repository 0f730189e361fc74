import { Button } from '../../components/button.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import type { UnsureApproval } from './use-approval.ts'

/** The answer to a decision was lost. Nothing can be decided until the server has said where the request stands. */
export function Unsure({ error, isLooking, lookAgain }: UnsureApproval) {
  return (
    <>
      <FailureNotice error={error} />
      <Button size="lg" isPending={isLooking} onPress={lookAgain}>
        Check again
      </Button>
    </>
  )
}
