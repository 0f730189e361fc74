import { pathFault } from '@patchbay/contracts/content'
import { newSchematic } from '@patchbay/kicad-format'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { TextField } from '../../../components/text-field.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import { useAction } from '../../../server/use-action.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { fetchFiles, writeFile } from '../parts/files.api.ts'
import styles from './schematic-editor.module.css'
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
  const submit = () => {
    if (isReady) making.run()
  }
  // A form of two fields sends nothing with Enter by itself.
  const onKeyDown = ({ key }: { key: string }) => {
    if (key === 'Enter') submit()
  }
  return (
    <Dialog
      title={isRoot ? words.sheet.newSchematic : words.sheet.title}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
      renderActions={(end) => (
        <>
          <Button variant="ghost" onPress={end}>
            {words.text.cancel}
          </Button>
          <Button variant="primary" isDisabled={!isReady} isPending={making.isPending} onPress={submit}>
            {isRoot ? words.sheet.create : words.text.place}
          </Button>
        </>
      )}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
        }}
      >
        {!isRoot && (
          <TextField
            label={words.sheet.name}
            value={name}
            onChange={setName}
            onKeyDown={onKeyDown}
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
          onKeyDown={onKeyDown}
          maxLength={LONGEST}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- as above
          autoFocus={isRoot}
        />
        <FailureNotice error={making.error} />
      </form>
    </Dialog>
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
