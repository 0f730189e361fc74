import { RotateCw, X } from 'lucide-react'
import { type ReactNode, useSyncExternalStore } from 'react'
import { Button } from '../../../components/button.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Progress } from '../../../components/progress.tsx'
import styles from './files.module.css'
import type { Upload, UploadQueue, UploadState } from './upload-queue.ts'
import { words } from './words.ts'

/** More lines would cover the tree that they are about. */
const MOST_LINES = 20

type In<Step extends UploadState['step']> = Upload & {
  readonly state: Extract<UploadState, { readonly step: Step }>
}
const isAt =
  <Step extends UploadState['step']>(...steps: readonly Step[]) =>
  (upload: Upload): upload is In<Step> =>
    (steps as readonly string[]).includes(upload.state.step)

/** How far uploads are, and those that need a decision. Nothing when there are none. */
export function UploadList({ queue }: { queue: UploadQueue }) {
  const { list, done } = useSyncExternalStore(
    (listener) => queue.uploads.subscribe(listener),
    () => queue.uploads.get(),
  )
  if (list.length === 0) return null
  const text = words.uploads
  const running = list.filter(isAt('sending', 'saving'))
  const waiting = list.filter(isAt('waiting'))
  const taken = list.filter(isAt('taken'))
  const failed = list.filter(isAt('failed'))
  const isRunning = running.length + waiting.length > 0
  const stopped = taken.length + failed.length
  const idsOf = (uploads: readonly Upload[]) => uploads.map(({ id }) => id)
  const shownFailed = failed.slice(0, MOST_LINES)
  const shownTaken = taken.slice(0, MOST_LINES - shownFailed.length)
  const hidden = stopped - shownFailed.length - shownTaken.length
  return (
    <section aria-label={text.label} className={styles.uploads}>
      <header className={styles.uploadsHeader}>
        {/* Not spoken: of a thousand files each would be. */}
        <p>
          {isRunning ? text.running(done, done + running.length + waiting.length) : text.stopped(stopped)}
        </p>
        <Button size="sm" variant="ghost" onPress={() => queue.drop(idsOf(list))}>
          {isRunning ? text.cancelAll : text.dismissAll}
        </Button>
      </header>
      {taken.length > 1 && (
        <Notice
          title={text.manyExist(taken.length)}
          tone="warning"
          isLive
          action={
            <div className={styles.choices}>
              <Button size="sm" onPress={() => queue.drop(idsOf(taken))}>
                {text.keepTheirs}
              </Button>
              <Button size="sm" onPress={() => queue.overwrite(idsOf(taken))}>
                {text.overwriteAll}
              </Button>
            </div>
          }
        />
      )}
      <ul className={styles.uploadLines}>
        {shownTaken.map(({ id, path, state }) => (
          <Line key={id}>
            <Notice
              title={state.wasKnown ? text.exists(path) : text.changed(path)}
              tone="warning"
              isLive
              action={
                <div className={styles.choices}>
                  <Button size="sm" onPress={() => queue.drop([id])}>
                    {text.keepTheirs}
                  </Button>
                  <Button size="sm" onPress={() => queue.overwrite([id])}>
                    {text.overwrite}
                  </Button>
                </div>
              }
            />
          </Line>
        ))}
        {shownFailed.map(({ id, path, state: { why, mayRetry } }) => (
          <Line key={id} label={text.dismiss(path)} close={() => queue.drop([id])}>
            <Notice
              title={path}
              tone="danger"
              isLive
              {...(mayRetry
                ? {
                    action: (
                      <Button size="sm" icon={<RotateCw aria-hidden />} onPress={() => queue.retry(id)}>
                        {text.retry}
                      </Button>
                    ),
                  }
                : {})}
            >
              {`${why.title}. ${why.detail}`}
            </Notice>
          </Line>
        ))}
        {running.map(({ id, path, state }) => (
          <Line key={id} label={text.cancel(path)} close={() => queue.drop([id])}>
            {state.step === 'saving' ? (
              <Progress label={text.saving(path)} />
            ) : (
              <Progress label={path} value={state.percent} />
            )}
          </Line>
        ))}
      </ul>
      {waiting.length > 0 && <p className={styles.more}>{text.waiting(waiting.length)}</p>}
      {hidden > 0 && <p className={styles.more}>{text.hidden(hidden)}</p>}
    </section>
  )
}

interface LineProps {
  label?: string
  close?: () => void
  children: ReactNode
}

function Line({ label, close, children }: LineProps) {
  return (
    <li className={styles.uploadLine}>
      <div className={styles.uploadText}>{children}</div>
      {label !== undefined && close !== undefined && (
        <IconButton label={label} size="sm" onPress={close}>
          <X aria-hidden />
        </IconButton>
      )}
    </li>
  )
}
