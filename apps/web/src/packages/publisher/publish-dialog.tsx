import type { Publication } from '@patchbay/contracts/registry'
import { Upload } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { DialogTrigger } from 'react-aria-components/Dialog'
import { Button } from '../../components/button.tsx'
import { CopyField } from '../../components/copy-field.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { Progress } from '../../components/progress.tsx'
import { installCommand } from '../feeds.ts'
import styles from './publish-dialog.module.css'
import { PublishRefusal } from './publish-refusal.tsx'
import { EMPTY_DRAFT, sourceOf } from './source-draft.ts'
import { SourceFields } from './source-fields.tsx'
import { usePublishing } from './use-publishing.ts'
import { words } from './words.tsx'

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
        {words.publish.open}
      </Button>
      <Dialog
        title={words.publish.title(owner)}
        // A slip must not end an upload of ten minutes.
        isDismissable={state !== 'sending'}
        renderActions={(close) => {
          if (state === 'done')
            return (
              <>
                <Button variant="ghost" onPress={() => restart()}>
                  {words.published.another}
                </Button>
                <Button variant="primary" onPress={close}>
                  {words.published.done}
                </Button>
              </>
            )
          return (
            <>
              <Button variant="ghost" onPress={state === 'sending' ? reset : close}>
                {words.publish.cancel}
              </Button>
              <Button
                variant="primary"
                isDisabled={source === undefined}
                isPending={state === 'sending'}
                onPress={() => {
                  if (source !== undefined) void publish(source, draft.visibility)
                }}
              >
                {words.publish.confirm}
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
  if (percent !== undefined) return <Progress label={words.publish.uploading} value={percent} />
  return <Progress label={isFetched ? words.publish.fetching : words.publish.examining} />
}

/** What came of it, where to look at it, and what its author may want to mend next time. */
function Published({ publication }: { publication: Publication }) {
  const { identifier, version, is_indexed, visibility, warnings } = publication
  const frame = useRef<HTMLElement>(null)
  // The button that sent it is gone; without this the focus would fall on the one that closes the dialog.
  useEffect(() => frame.current?.focus(), [])
  const isPrivate = visibility === 'private'
  return (
    <section ref={frame} tabIndex={-1} aria-label={words.published.label} className={styles.form}>
      <Notice title={words.published.title(identifier, version)} tone="ok" isLive>
        <p>
          {is_indexed ? words.published.isIndexed : words.published.willBeIndexed}{' '}
          {isPrivate && `${words.published.isPrivate} `}
          <Link href={`/packages/${identifier}`}>{words.published.view}</Link>
        </p>
      </Notice>
      {warnings.length > 0 && (
        <Notice title={words.published.warnings} tone="warning">
          <ul>
            {warnings.map(({ pointer, message }) => (
              <li key={`${pointer} ${message}`}>
                {pointer !== '' && <code>{pointer}</code>} {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <CopyField label={words.published.install} value={installCommand(identifier)} />
    </section>
  )
}
