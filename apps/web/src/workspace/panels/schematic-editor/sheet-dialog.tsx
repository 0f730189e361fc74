import { pathFault } from '@patchbay/contracts/content'
import { newSchematic } from '@patchbay/kicad-format'
import { useState } from 'react'
import { TextField } from '../../../components/text-field.tsx'
import { InputDialog } from '../../../parts/input-dialog.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import { useAction } from '../../../server/use-action.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { fetchFiles, writeFile } from '../parts/files.api.ts'
import { words } from './words.ts'

const ENDING = '.kicad_sch'
const LONGEST = 200

interface SheetDialogProps {
  host: PanelHost
  /** A whole schematic has a file alone. */
  isRoot: boolean
  /** Where the file is put, with the slash at its end. */
  folder: string
  /** What it must not be: a sheet would contain itself. */
  forbidden: ReadonlySet<string>
  done: (made: { name: string; file: string; path: string }) => void
  close: () => void
}

/** A new schematic, or a sheet with its file: one that is there is used again. */
export function SheetDialog({ host, isRoot, folder, forbidden, done, close }: SheetDialogProps) {
  const [name, setName] = useState('')
  const [typed, setTyped] = useState<string>()
  const said = name.trim().toWellFormed()
  const file = withEnding(typed ?? (isRoot ? words.sheet.firstFile : fileFor(said)))
  const path = `${folder}${file}`
  const fault = forbidden.has(path)
    ? words.sheet.itself
    : file === ENDING || pathFault(path) !== undefined
      ? words.sheet.badFile
      : undefined
  const isReady = fault === undefined && (isRoot || said !== '')
  const making = useAction(async () => {
    const { files } = await fetchFiles(host.workspace, new AbortController().signal)
    const isThere = files.some((one) => one.path === path)
    if (!isThere) await writeFile(host, path, new Blob([newSchematic(host.newId())]))
    done({ name: said, file, path })
  })
  return (
    <InputDialog
      title={isRoot ? words.sheet.newSchematic : words.sheet.title}
      submitLabel={isRoot ? words.sheet.create : words.text.place}
      canSubmit={isReady}
      isPending={making.isPending}
      submit={() => making.run()}
      close={close}
    >
      {!isRoot && (
        <TextField
          label={words.sheet.name}
          value={name}
          onChange={setName}
          maxLength={LONGEST}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type it
          autoFocus
        />
      )}
      <TextField
        label={words.sheet.file}
        description={isRoot ? words.sheet.aboutFile : words.sheet.aboutSheetFile}
        {...(fault !== undefined && (typed !== undefined || said !== '') && { errorMessage: fault })}
        isMono
        spellCheck="false"
        value={typed ?? (isRoot || said !== '' ? file : '')}
        onChange={setTyped}
        maxLength={LONGEST}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- as above
        autoFocus={isRoot}
      />
      <FailureNotice error={making.error} />
    </InputDialog>
  )
}

function withEnding(file: string): string {
  const plain = file.trim().normalize('NFC')
  return plain.endsWith(ENDING) ? plain : `${plain}${ENDING}`
}

/** What a sheet of this name is stored as, unless somebody says otherwise. */
function fileFor(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
}
