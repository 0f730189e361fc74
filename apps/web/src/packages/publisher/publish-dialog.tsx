import { Upload } from 'lucide-react'
import { useState } from 'react'
import { DialogTrigger } from 'react-aria-components/Dialog'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Progress } from '../../components/progress.tsx'
import styles from './publish-dialog.module.css'
import { PublishRefusal } from './publish-refusal.tsx'
import { Published } from './published.tsx'
import { SourceFields } from './source-fields.tsx'
import { EMPTY_DRAFT, sourceOf } from './source-draft.ts'
import { usePublishing } from './use-publishing.ts'

interface PublishDialogProps {
  owner: string
  onPublished: () => void
}

export function PublishDialog({ owner, onPublished }: PublishDialogProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  // The lists behind it begin anew when it is closed: they would take the button, and the focus, with them.
  const [hasPublished, setHasPublished] = useState(false)
  const { publishing, publish, reset } = usePublishing(owner, () => setHasPublished(true))
  const source = sourceOf(draft)
  const changeOpen = (open: boolean) => {
    reset()
    setDraft(EMPTY_DRAFT)
    setIsOpen(open)
    if (open || !hasPublished) return
    setHasPublished(false)
    onPublished()
  }
  const { state } = publishing
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={changeOpen}>
      <Button variant="primary" icon={<Upload aria-hidden />}>
        Publish
      </Button>
      <Dialog
        title={`Publish for ${owner}`}
        // A slip must not end an upload of ten minutes.
        isDismissable={state !== 'sending'}
        renderActions={(close) => {
          if (state === 'done')
            return (
              <>
                <Button variant="ghost" onPress={() => restart()}>
                  Publish another
                </Button>
                <Button variant="primary" onPress={close}>
                  Done
                </Button>
              </>
            )
          return (
            <>
              <Button variant="ghost" onPress={state === 'sending' ? reset : close}>
                Cancel
              </Button>
              <Button
                variant="primary"
                isDisabled={source === undefined}
                isPending={state === 'sending'}
                onPress={() => {
                  if (source !== undefined) void publish(source, draft.visibility)
                }}
              >
                Publish
              </Button>
            </>
          )
        }}
      >
        {state === 'done' ? (
          <Published publication={publishing.publication} />
        ) : (
          <div className={styles.form}>
            <SourceFields
              draft={draft}
              isDisabled={state === 'sending'}
              change={(next) => {
                setDraft(next)
                if (state === 'refused') reset()
              }}
            />
            {state === 'sending' && (
              <Sending percent={publishing.percent} isFetched={'url' in (source ?? {})} />
            )}
            {state === 'refused' && <PublishRefusal error={publishing.error} />}
          </div>
        )}
      </Dialog>
    </DialogTrigger>
  )

  function restart() {
    reset()
    setDraft(EMPTY_DRAFT)
  }
}

function Sending({ percent, isFetched }: { percent: number | undefined; isFetched: boolean }) {
  if (percent !== undefined) return <Progress label="Uploading the archive" value={percent} />
  return <Progress label={isFetched ? 'The server fetches and examines it' : 'The server examines it'} />
}
