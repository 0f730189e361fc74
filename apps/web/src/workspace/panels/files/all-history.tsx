import type { ChangedPath, ContentChange } from '@patchbay/contracts/content'
import { ChevronRight } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { classes } from '../../../components/classes.ts'
import { Skeleton } from '../../../components/skeleton.tsx'
import { notify } from '../../../components/toast.tsx'
import { ConfirmButton } from '../../../parts/confirm-button.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import { useLoaded } from '../../../session/use-loaded.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { fetchChangedPaths } from '../parts/files.api.ts'
import { ChangeFacts, ShowMore } from './file-history.tsx'
import styles from './files.module.css'
import { restoreEverything } from './history.api.ts'
import { useHistory } from './use-history.ts'
import { words } from './words.ts'

interface AllHistoryProps {
  host: PanelHost
  /** Of all files, as far as this page knows. */
  revision: number
  mayChange: boolean
  look: () => Promise<void>
  /** Shows the history of one path, also of one that is deleted. */
  openHistory: (path: string) => void
}

/** Every change of the workspace's files, and the way back to what they were after one. */
export function AllHistory({ host, revision, mayChange, look, openHistory }: AllHistoryProps) {
  const { answer, reload, more } = useHistory(host.workspace, undefined, revision)
  const [opened, setOpened] = useState<number>()
  if (answer.state === 'loading') return <Skeleton label={words.history.loading} lines={4} />
  if (answer.state === 'failed')
    return (
      <div className={styles.message}>
        <FailureNotice error={answer.error} retry={reload} />
      </div>
    )
  const { items } = answer.value
  if (items.length === 0) return <p className={styles.message}>{words.history.none}</p>
  return (
    <ol aria-label={words.history.changes} className={styles.changes}>
      {items.map((change, index) => (
        <li key={change.revision}>
          <AriaButton
            aria-expanded={opened === change.revision}
            className={classes(styles.version)}
            onPress={() => setOpened(opened === change.revision ? undefined : change.revision)}
          >
            <ChevronRight aria-hidden className={styles.unfold} />
            <ChangeFacts change={change}>
              <span className={styles.count}>{words.filesIn(change.paths)}</span>
            </ChangeFacts>
          </AriaButton>
          {opened === change.revision && (
            <div className={styles.change}>
              <Paths host={host} change={change} openHistory={openHistory} />
              {mayChange && index > 0 && (
                <ConfirmButton
                  label={words.history.restoreAll}
                  question={words.history.restoreAllQuestion}
                  confirmLabel={words.history.restoreAll}
                  confirmVariant="primary"
                  cancelLabel={words.path.cancel}
                  confirm={async () => {
                    await restoreEverything(host, change.revision)
                    await look()
                    notify({ title: words.history.restoredAll })
                  }}
                >
                  {words.history.restoreAllText}
                </ConfirmButton>
              )}
            </div>
          )}
        </li>
      ))}
      <ShowMore more={more} />
    </ol>
  )
}

const MOST_PATHS = 100

interface PathsProps {
  host: PanelHost
  change: ContentChange
  openHistory: (path: string) => void
}

function Paths({ host, change: { revision, paths }, openHistory }: PathsProps) {
  const load = useCallback(
    (signal: AbortSignal) =>
      fetchChangedPaths(host.workspace, { after: revision - 1, until: revision }, signal),
    [host, revision],
  )
  const { answer, reload } = useLoaded(load)
  if (answer.state === 'loading') return <Skeleton label={words.history.loading} lines={2} />
  if (answer.state === 'failed') return <FailureNotice error={answer.error} retry={reload} />
  const items = answer.value?.paths ?? []
  return (
    <ul className={styles.paths}>
      {items.slice(0, MOST_PATHS).map((item) => (
        <li key={item.path}>
          <AriaButton className={classes(styles.path)} onPress={() => openHistory(item.path)}>
            {inWords(item)}
          </AriaButton>
        </li>
      ))}
      {paths > MOST_PATHS && <li className={styles.more}>{words.history.morePaths(paths - MOST_PATHS)}</li>}
    </ul>
  )
}

function inWords({ path, movedFrom, content }: ChangedPath): string {
  if (content === null) return words.history.deleted(path)
  return movedFrom === null ? words.history.written(path) : words.history.moved(movedFrom, path)
}
