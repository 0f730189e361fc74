import { MonitorUp } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { UserError } from '../../errors/user-error.ts'
import { useValue } from '../../parts/use-value.ts'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useAction } from '../../server/use-action.ts'
import { words } from '../words.tsx'
import { useWorkspaceSession } from '../workspace-context.ts'
import styles from './consent-dialog.module.css'

/** Somebody wants a picture and nothing is shared: who, why, and the two answers. */
export function ConsentDialog() {
  const { consent, capturer, screenFor } = useWorkspaceSession()
  const request = useValue(consent.shown)
  const sharing = useAction(async () => {
    await capturer.start(request?.scope, 'one picture').catch((error: unknown) => {
      throw new UserError(words.consent.refused.title, words.consent.refused.text, error)
    })
    if (request?.scope === 'screen') screenFor.set(request.by)
    consent.settle()
  })
  if (request === undefined) return null
  const { by, reason, scope } = request
  const isScreen = scope === 'screen'
  const asks = isScreen ? words.consent.asksForScreen : words.consent.asks
  const decline = () => {
    sharing.forget()
    consent.decline()
  }
  return (
    <Dialog
      title={words.consent.title}
      size="sm"
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) decline()
      }}
      renderActions={() => (
        <>
          <Button variant="ghost" onPress={decline}>
            {words.consent.notNow}
          </Button>
          <Button
            variant="primary"
            icon={<MonitorUp aria-hidden />}
            isPending={sharing.isPending}
            onPress={() => sharing.run()}
          >
            {words.consent.share}
          </Button>
        </>
      )}
    >
      <div className={styles.text}>
        <p>{asks(<strong>{by.name}</strong>, by.handle)}</p>
        {reason === undefined ? (
          <p className={styles.quiet}>{words.consent.noReason}</p>
        ) : (
          <blockquote className={styles.reason}>{reason}</blockquote>
        )}
        <p className={styles.quiet}>{isScreen ? words.consent.whatScreen : words.consent.whatPage}</p>
        <FailureNotice error={sharing.error} />
      </div>
    </Dialog>
  )
}
