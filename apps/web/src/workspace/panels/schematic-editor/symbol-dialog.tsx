import type { DesignSheet } from '@patchbay/kicad-format'
import { CircuitBoard, LibraryBig } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { TextField } from '../../../components/text-field.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import { useLoaded } from '../../../session/use-loaded.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { FileChoice } from '../files/file-dialog.tsx'
import { fetchContent } from '../files/history.api.ts'
import { fetchFiles } from '../parts/files.api.ts'
import { fetchLibraries, fetchSymbols } from './libraries.api.ts'
import { LibrariesDialog } from './libraries-dialog.tsx'
import styles from './schematic-editor.module.css'
import { choicesOf, findChoices, ownChoices, symbolsIn } from './tools/libraries.ts'
import type { SymbolChoice } from './tools/place-symbol.ts'
import { words } from './words.ts'

const MOST_SHOWN = 60
const MOST_LIBRARIES = 100
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

/** Symbols that the schematic has, and those of the libraries of the workspace: among its files, and packages. */
export function SymbolDialog({ host, sheet, isPower, choose, close }: SymbolDialogProps) {
  const [search, setSearch] = useState('')
  const [isChoosing, setChoosing] = useState(false)
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
      renderActions={() => (
        <Button icon={<LibraryBig aria-hidden />} onPress={() => setChoosing(true)}>
          {words.symbols.libraries}
        </Button>
      )}
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
      {isChoosing && (
        <LibrariesDialog
          host={host}
          close={() => {
            setChoosing(false)
            reload()
          }}
        />
      )}
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
  const [{ files }, packages] = await Promise.all([
    fetchFiles(host.workspace, signal),
    fetchLibraries(host.workspace, signal),
  ])
  const all = [
    ...packages.flatMap((library) =>
      library.symbols.map((part) => ({
        name: part.nickname,
        bytes: part.bytes,
        read: async () => symbolsIn(part.nickname, await fetchSymbols(host.workspace, library, part, signal)),
      })),
    ),
    ...files
      .filter(({ path }) => path.endsWith('.kicad_sym'))
      .map(({ path, size }) => ({
        name: path,
        bytes: size,
        read: async () =>
          choicesOf(path, await fetchContent(host.workspace, { path, most: LARGEST_BYTES }, signal)),
      })),
  ]
  const choices: SymbolChoice[] = []
  const unread = all.slice(MOST_LIBRARIES).map(({ name }) => name)
  for (const { name, bytes, read } of all.slice(0, MOST_LIBRARIES)) {
    try {
      if (bytes > LARGEST_BYTES) throw new RangeError('the library is too large')
      for (const choice of await read()) choices.push(choice)
    } catch (error) {
      if (signal.aborted) throw error
      unread.push(name)
    }
  }
  return { choices, unread }
}
