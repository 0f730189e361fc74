import { MonitorUp } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { UserError } from '../../errors/user-error.ts'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useAction } from '../../server/use-action.ts'
import { useValue, useWorkspaceSession } from '../workspace-context.ts'
import styles from './consent-dialog.module.css'

/** Somebody wants a picture and nothing is shared: who, why, and the two answers. */
export function ConsentDialog() {
  const { consent, capturer, screenFor } = useWorkspaceSession()
  const request = useValue(consent.shown)
  const sharing = useAction(async () => {
    await capturer.start(request?.scope, 'one picture').catch((error: unknown) => {
      throw new UserError(
        'Nothing is shared',
        'The browser did not allow it. Select Share to try again.',
        error,
      )
    })
    if (request?.scope === 'screen') screenFor.set(request.by)
    consent.settle()
  })
  if (request === undefined) return null
  const { by, reason, scope } = request
  const isScreen = scope === 'screen'
  const decline = () => {
    sharing.forget()
    consent.decline()
  }
  return (
    <Dialog
      title="Share for screenshots?"
      size="sm"
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) decline()
      }}
      renderActions={() => (
        <>
          <Button variant="ghost" onPress={decline}>
            Not now
          </Button>
          <Button
            variant="primary"
            icon={<MonitorUp aria-hidden />}
            isPending={sharing.isPending}
            onPress={() => sharing.run()}
          >
            Share
          </Button>
        </>
      )}
    >
      <div className={styles.text}>
        <p>
          <strong>{by.name}</strong> of {by.handle} wants to take a screenshot
          {isScreen ? ' of your whole screen' : ''}.
        </p>
        {reason === undefined ? (
          <p className={styles.quiet}>No reason given.</p>
        ) : (
          <blockquote className={styles.reason}>{reason}</blockquote>
        )}
        <p className={styles.quiet}>
          {isScreen
            ? 'Your screen is shared for one screenshot within the next minute.'
            : 'Until you stop sharing, scripts and agents with permission can take screenshots. Stop any time with the monitor icon in the bar.'}
        </p>
        <FailureNotice error={sharing.error} />
      </div>
    </Dialog>
  )
}
