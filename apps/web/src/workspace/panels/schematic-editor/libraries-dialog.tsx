import type { BoardLibrary } from '@patchbay/contracts/boards'
import { Trash2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { TextField } from '../../../components/text-field.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import { useLoaded } from '../../../session/use-loaded.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { addLibrary, fetchLibraries, removeLibrary, searchLibraries } from './libraries.api.ts'
import styles from './libraries-dialog.module.css'
import { words } from './words.ts'

const LONGEST = 200
/** Not every letter is a question: the registry answers so many in a minute. */
const TYPING_MS = 250
const IDENTIFIER = /^[a-zA-Z][-a-zA-Z0-9]*(?:\.[-a-zA-Z0-9]+)+$/

interface LibrariesDialogProps {
  host: PanelHost
  close: () => void
}

/** Packages of symbols, footprints and models: those of the workspace, and those that can be added. */
export function LibrariesDialog({ host, close }: LibrariesDialogProps) {
  const load = useCallback((signal: AbortSignal) => fetchLibraries(host.workspace, signal), [host])
  const { answer, reload } = useLoaded(load)
  // One change at a time; what came of the last one is told.
  const [changing, setChanging] = useState<string>()
  const [failure, setFailure] = useState<unknown>()
  const change = async (identifier: string, work: () => Promise<void>) => {
    setChanging(identifier)
    setFailure(undefined)
    await work().catch(setFailure)
    setChanging(undefined)
    reload()
  }
  const here = answer.state === 'loaded' ? answer.value : []
  const add = (identifier: string) => void change(identifier, () => addLibrary(host, identifier))
  return (
    <Dialog
      title={words.libraries.title}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
    >
      <div className={styles.dialog}>
        {answer.state === 'loading' && <Skeleton label={words.libraries.loading} lines={2} />}
        {answer.state === 'failed' && <FailureNotice error={answer.error} retry={reload} />}
        {answer.state === 'loaded' && here.length === 0 && (
          <p className={styles.hint}>{words.libraries.none}</p>
        )}
        {here.length > 0 && (
          <ul aria-label={words.libraries.here} className={styles.list}>
            {here.map((library) => (
              <li key={library.identifier} className={styles.row}>
                <span className={styles.text}>
                  <span className={styles.name}>{library.name}</span>
                  <span className={styles.help}>
                    {words.libraries.which(library.identifier, library.version)}
                  </span>
                  <span className={styles.help}>{partsOf(library)}</span>
                </span>
                <IconButton
                  label={words.libraries.remove(library.name)}
                  size="sm"
                  isDisabled={changing !== undefined}
                  onPress={() =>
                    void change(library.identifier, () => removeLibrary(host, library.identifier))
                  }
                >
                  <Trash2 aria-hidden />
                </IconButton>
              </li>
            ))}
          </ul>
        )}
        {failure !== undefined && <FailureNotice error={failure} />}
        <FoundLibraries here={here} changing={changing} add={add} />
      </div>
    </Dialog>
  )
}

interface FoundLibrariesProps {
  here: readonly BoardLibrary[]
  changing: string | undefined
  add: (identifier: string) => void
}

function FoundLibraries({ here, changing, add }: FoundLibrariesProps) {
  const [search, setSearch] = useState('')
  const asked = search.trim().slice(0, LONGEST)
  const load = useCallback(
    async (signal: AbortSignal) => {
      await new Promise((resolve) => setTimeout(resolve, asked === '' ? 0 : TYPING_MS))
      signal.throwIfAborted()
      return await searchLibraries(asked, signal)
    },
    [asked],
  )
  const { answer, reload } = useLoaded(load)
  const found = answer.state === 'loaded' ? answer.value : []
  const versions = new Map(here.map(({ identifier, version }) => [identifier, version]))
  // A private one is in no search.
  const isNamed = IDENTIFIER.test(asked) && !found.some(({ identifier }) => identifier === asked)
  const offer = (identifier: string, latest: string | undefined) => {
    const version = versions.get(identifier)
    if (version !== undefined && (latest === undefined || version === latest))
      return <span className={styles.help}>{words.libraries.added}</span>
    return (
      <Button
        size="sm"
        isPending={changing === identifier}
        isDisabled={changing !== undefined && changing !== identifier}
        onPress={() => add(identifier)}
      >
        {version === undefined ? words.libraries.add : words.libraries.update(latest ?? '')}
      </Button>
    )
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to find something */}
      <TextField label={words.libraries.search} value={search} onChange={setSearch} autoFocus />
      {answer.state === 'loading' && <Skeleton label={words.libraries.searching} lines={3} />}
      {answer.state === 'failed' && <FailureNotice error={answer.error} retry={reload} />}
      <ul aria-label={words.libraries.found} className={styles.list}>
        {found.map(({ identifier, name, description, latest }) => (
          <li key={identifier} className={styles.row}>
            <span className={styles.text}>
              <span className={styles.name}>{name}</span>
              <span className={styles.help}>{description}</span>
              <span className={styles.help}>{words.libraries.which(identifier, latest?.version)}</span>
            </span>
            {offer(identifier, latest?.version)}
          </li>
        ))}
        {isNamed && (
          <li className={styles.row}>
            <span className={styles.text}>
              <span className={styles.name}>{asked}</span>
            </span>
            {offer(asked, undefined)}
          </li>
        )}
      </ul>
      <output className={styles.hint}>
        {answer.state === 'loaded' && found.length === 0 && !isNamed && words.libraries.noneFound}
      </output>
    </>
  )
}

const partsOf = ({ symbols, footprints, models }: BoardLibrary) =>
  words.libraries.parts(symbols.length, footprints.length, models)
