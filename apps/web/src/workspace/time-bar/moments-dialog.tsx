import type { DeviceMarker } from '@patchbay/contracts/devices'
import { Bookmark } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import field from '../../components/field.module.css'
import { TextField } from '../../components/text-field.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Entries, Entry } from '../../parts/entries.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useAction } from '../../server/use-action.ts'
import { addMarker, removeMarker } from '../devices/recorded.api.ts'
import { useWorkspaceSession } from '../workspace-context.ts'
import styles from './time-bar.module.css'
import { words } from './words.ts'

const LONGEST_LABEL = 100

interface MomentsDialogProps {
  at: number
  markers: readonly DeviceMarker[]
  /** False for somebody who may only look. */
  mayChange: boolean
  close: () => void
}

/** Where to go: to a time, or to a moment that somebody has marked; and marks the one that is shown. */
export function MomentsDialog({ at, markers, mayChange, close }: MomentsDialogProps) {
  const { host } = useWorkspaceSession()
  const [time, setTime] = useState(() => localTime(at))
  const go = (moment: number) => {
    host.replay.seek(moment)
    close()
  }
  const chosen = new Date(time).getTime()
  return (
    <Dialog
      title={words.momentsTitle}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
    >
      <div className={styles.parts}>
        <form
          className={styles.field}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!Number.isNaN(chosen)) go(chosen)
          }}
        >
          <label className={styles.moment}>
            {words.goTo}
            <input
              type="datetime-local"
              step={1}
              value={time}
              onChange={({ currentTarget }) => setTime(currentTarget.value)}
              className={field.control}
            />
          </label>
          <div className={styles.submit}>
            <Button type="submit" isDisabled={Number.isNaN(chosen)}>
              {words.go}
            </Button>
          </div>
        </form>
        {mayChange && <MarkField at={at} />}
        <Entries
          label={words.list}
          answer={{ state: 'loaded', value: { items: markers } }}
          reload={() => undefined}
          empty={words.none}
          keyOf={({ id }) => id}
        >
          {(marker) => (
            <Entry
              icon={<Bookmark aria-hidden />}
              title={marker.label}
              facts={[words.full(Date.parse(marker.at)), words.by(marker.by.name)]}
              actions={
                <>
                  <Button
                    size="sm"
                    aria-label={words.jumpTo(marker.label)}
                    onPress={() => go(Date.parse(marker.at))}
                  >
                    {words.jump}
                  </Button>
                  {mayChange && (
                    <ConfirmButton
                      label={words.remove}
                      fullLabel={words.removeOf(marker.label)}
                      question={words.removeQuestion(marker.label)}
                      confirmLabel={words.remove}
                      confirm={() => removeMarker(host, marker.id)}
                    >
                      {words.removeText}
                    </ConfirmButton>
                  )}
                </>
              }
            />
          )}
        </Entries>
      </div>
    </Dialog>
  )
}

function MarkField({ at }: { at: number }) {
  const { host } = useWorkspaceSession()
  const [label, setLabel] = useState('')
  const marking = useAction(async () => {
    await addMarker(host, label.trim(), at)
    setLabel('')
  })
  const isEmpty = label.trim() === ''
  return (
    <>
      <form
        className={styles.field}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isEmpty) marking.run()
        }}
      >
        <TextField
          label={words.label(words.clock(at))}
          description={words.labelHint}
          maxLength={LONGEST_LABEL}
          value={label}
          onChange={setLabel}
          autoComplete="off"
        />
        <div className={styles.submit}>
          <Button type="submit" isPending={marking.isPending} isDisabled={isEmpty}>
            {words.mark}
          </Button>
        </div>
      </form>
      <FailureNotice error={marking.error} />
    </>
  )
}

/** As a field for a date and a time takes it: in the time zone of the person. */
function localTime(at: number): string {
  const shifted = at - new Date(at).getTimezoneOffset() * 60_000
  return new Date(shifted).toISOString().slice(0, 19)
}
