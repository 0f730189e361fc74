import { pathFault } from '@patchbay/contracts/content'
import { FilePlus, FileText } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { TextField } from '../../../components/text-field.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import { useAction } from '../../../server/use-action.ts'
import { useLoaded } from '../../../session/use-loaded.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { fetchFiles, writeFile } from '../parts/files.api.ts'
import styles from './code-editor.module.css'
import { words } from './words.ts'

/** More than anybody looks through; typing narrows them down. */
const SHOWN = 100

interface OpenFileDialogProps {
  host: PanelHost
  open: (path: string) => void
  close: () => void
}

/** Chooses a file of the workspace, or makes one. */
export function OpenFileDialog({ host, open, close }: OpenFileDialogProps) {
  const load = useCallback((signal: AbortSignal) => fetchFiles(host.workspace, signal), [host])
  const { answer, reload } = useLoaded(load)
  const paths = answer.state === 'loaded' ? answer.value.files.map(({ path }) => path) : undefined
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().normalize('NFC')
  const making = useAction(async () => {
    await writeFile(host, wanted, new Blob([]))
    open(wanted)
  })
  const found = (paths ?? []).filter((path) => path.toLowerCase().includes(wanted.toLowerCase()))
  const canMake =
    paths !== undefined && wanted !== '' && !paths.includes(wanted) && pathFault(wanted) === undefined
  const choose = () => {
    const [first] = found
    if (first !== undefined) open(first)
    else if (canMake) making.run()
  }
  return (
    <Dialog
      title={words.files.open}
      size="sm"
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
    >
      <div className={styles.opening}>
        <TextField
          label={words.files.find}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type here
          autoFocus
          isMono
          autoComplete="off"
          spellCheck="false"
          placeholder={words.files.example}
          value={typed}
          onChange={setTyped}
          onKeyDown={(event) => {
            if (event.key === 'Enter') choose()
          }}
        />
        {answer.state === 'failed' && <FailureNotice error={answer.error} retry={reload} />}
        <FailureNotice error={making.error} />
        {answer.state === 'loading' && <Skeleton label={words.files.listing} lines={3} />}
        {paths !== undefined && (
          <ul className={styles.found} aria-label={words.files.found(found.length)}>
            {found.slice(0, SHOWN).map((path) => (
              <li key={path}>
                <Button variant="ghost" size="sm" icon={<FileText aria-hidden />} onPress={() => open(path)}>
                  {path}
                </Button>
              </li>
            ))}
            {canMake && (
              <li>
                <Button
                  variant="ghost"
                  size="sm"
                  icon={<FilePlus aria-hidden />}
                  isPending={making.isPending}
                  onPress={() => making.run()}
                >
                  {words.files.create(wanted)}
                </Button>
              </li>
            )}
          </ul>
        )}
        {paths !== undefined && found.length === 0 && !canMake && (
          <p className={styles.hint}>{wanted === '' ? words.files.none : words.files.noMatch}</p>
        )}
        {found.length > SHOWN && <p className={styles.hint}>{words.files.more(found.length - SHOWN)}</p>}
      </div>
    </Dialog>
  )
}
