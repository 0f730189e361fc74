import type { DesignSheet } from '@patchbay/kicad-format'
import { CircuitBoard } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { Dialog } from '../../../components/dialog.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { TextField } from '../../../components/text-field.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import { useLoaded } from '../../../session/use-loaded.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { FileChoice } from '../files/file-dialog.tsx'
import { fetchContent } from '../files/history.api.ts'
import { fetchFiles } from '../parts/files.api.ts'
import styles from './schematic-editor.module.css'
import { choicesOf, findChoices, ownChoices } from './tools/libraries.ts'
import type { SymbolChoice } from './tools/place-symbol.ts'
import { words } from './words.ts'

const MOST_SHOWN = 60
const MOST_LIBRARIES = 40
const LARGEST_BYTES = 16 * 1024 * 1024

interface SymbolDialogProps {
  host: PanelHost
  sheet: DesignSheet
  isPower: boolean
  choose: (choice: SymbolChoice) => void
  close: () => void
}

interface Libraries {
  readonly choices: readonly SymbolChoice[]
  readonly unread: readonly string[]
}

/** Symbols that the schematic has, and those of the libraries among the workspace's files. */
export function SymbolDialog({ host, sheet, isPower, choose, close }: SymbolDialogProps) {
  const [search, setSearch] = useState('')
  const load = useCallback((signal: AbortSignal) => readLibraries(host, signal), [host])
  const { answer, reload } = useLoaded(load)
  const own = useMemo(() => ownChoices(sheet), [sheet])
  const loaded = answer.state === 'loaded' ? answer.value : undefined
  const known = new Set(own.map(({ libId }) => libId))
  const all = [...own, ...(loaded?.choices.filter(({ libId }) => !known.has(libId)) ?? [])]
  const found = findChoices(
    all.filter(({ symbol }) => symbol.isPower === isPower),
    search,
  )
  return (
    <Dialog
      title={isPower ? words.symbols.power : words.symbols.title}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
    >
      <div className={styles.form}>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to find something */}
        <TextField label={words.symbols.search} value={search} onChange={setSearch} autoFocus />
        {answer.state === 'loading' && <Skeleton label={words.symbols.loading} lines={3} />}
        {answer.state === 'failed' && <FailureNotice error={answer.error} retry={reload} />}
        <ul className={styles.choices}>
          {found.slice(0, MOST_SHOWN).map((choice) => (
            <li key={choice.libId}>
              <FileChoice
                icon={<CircuitBoard aria-hidden />}
                choose={() => choose(choice)}
                {...describe(choice)}
              >
                {choice.libId}
              </FileChoice>
            </li>
          ))}
        </ul>
        <output className={styles.hint}>
          {found.length > 0
            ? words.symbols.found(found.length, MOST_SHOWN)
            : answer.state !== 'loading' && words.symbols.none}
          {loaded !== undefined &&
            loaded.unread.length > 0 &&
            ` ${words.symbols.unread(loaded.unread.join(', '))}`}
        </output>
      </div>
    </Dialog>
  )
}

function describe({ symbol }: SymbolChoice): { help?: string } {
  const help = symbol.properties.find(
    ({ name }) => name === 'Description' || name === 'ki_description',
  )?.value
  return help === undefined || help === '' ? {} : { help }
}

async function readLibraries(host: PanelHost, signal: AbortSignal): Promise<Libraries> {
  const { files } = await fetchFiles(host.workspace, signal)
  const paths = files.map(({ path }) => path).filter((path) => path.endsWith('.kicad_sym'))
  const choices: SymbolChoice[] = []
  const unread: string[] = paths.slice(MOST_LIBRARIES)
  for (const path of paths.slice(0, MOST_LIBRARIES)) {
    try {
      const bytes = await fetchContent(host.workspace, { path, most: LARGEST_BYTES }, signal)
      for (const choice of choicesOf(path, bytes)) choices.push(choice)
    } catch (error) {
      if (signal.aborted) throw error
      unread.push(path)
    }
  }
  return { choices, unread }
}
