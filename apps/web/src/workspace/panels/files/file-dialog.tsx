import { File } from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { classes } from '../../../components/classes.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { TextField } from '../../../components/text-field.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import { useLoaded } from '../../../session/use-loaded.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { fetchFiles } from '../parts/files.api.ts'
import styles from './file-dialog.module.css'
import { words } from './words.ts'

/** More are found by typing. */
const MOST_SHOWN = 100

interface FileDialogProps {
  host: PanelHost
  title: string
  /** Said where no file fits. */
  none: string
  /** Which of the workspace's paths are offered, or what of them: a folder, say. Each once. */
  offer: (paths: readonly string[]) => readonly string[]
  choose: (path: string) => void
  close: () => void
  icon?: ReactNode
  /** What else can be chosen, above the files. */
  children?: ReactNode
}

/** Where a file of the workspace is chosen, by a part of its path. */
export function FileDialog(props: FileDialogProps) {
  const { host, title, none, offer, choose, close, icon = <File aria-hidden />, children } = props
  const [search, setSearch] = useState('')
  const load = useCallback((signal: AbortSignal) => fetchFiles(host.workspace, signal), [host])
  const { answer, reload } = useLoaded(load)
  const offered = answer.state === 'loaded' ? offer(answer.value.files.map(({ path }) => path)) : []
  const parts = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = offered.filter((path) => parts.every((part) => path.toLowerCase().includes(part)))
  return (
    <Dialog
      title={title}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
    >
      <div className={styles.files}>
        {children}
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to find something */}
        <TextField label={words.fileDialog.search} value={search} onChange={setSearch} autoFocus />
        {answer.state === 'loading' && <Skeleton label={words.fileDialog.loading} lines={4} />}
        {answer.state === 'failed' && <FailureNotice error={answer.error} retry={reload} />}
        <ul className={styles.list}>
          {found.slice(0, MOST_SHOWN).map((path) => (
            <li key={path}>
              <FileChoice icon={icon} choose={() => choose(path)}>
                {path}
              </FileChoice>
            </li>
          ))}
        </ul>
        <output className={styles.count}>
          {answer.state === 'loaded' &&
            (offered.length === 0 ? none : words.fileDialog.count(found.length, MOST_SHOWN))}
        </output>
      </div>
    </Dialog>
  )
}

interface FileChoiceProps {
  icon: ReactNode
  choose: () => void
  help?: string
  children: string
}

export function FileChoice({ icon, choose, help, children }: FileChoiceProps) {
  return (
    <AriaButton onPress={choose} className={classes(styles.choice)}>
      {icon}
      <span className={styles.text}>
        {children}
        {help !== undefined && <span className={styles.help}>{help}</span>}
      </span>
    </AriaButton>
  )
}
