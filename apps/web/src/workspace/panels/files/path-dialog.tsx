import { pathFault } from '@patchbay/contracts/content'
import { useState } from 'react'
import { TextField } from '../../../components/text-field.tsx'
import { InputDialog } from '../../../parts/input-dialog.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import { useAction } from '../../../server/use-action.ts'
import { explain } from './explain.ts'
import { type FileTree, findTaken, joinPath, nameOf, parentOf, type Row } from './file-tree.ts'
import type { FileActions } from './use-file-actions.ts'
import { words } from './words.ts'

export type PathWish =
  | { readonly type: 'newFile'; readonly folder: string }
  | { readonly type: 'newFolder'; readonly folder: string }
  | { readonly type: 'rename'; readonly row: Row }
  | { readonly type: 'move'; readonly row: Row }

interface PathDialogProps {
  wish: PathWish
  tree: FileTree
  actions: FileActions
  close: () => void
}

/** Asks for the path of something new, or for another one of what is there. */
export function PathDialog({ wish, tree, actions, close }: PathDialogProps) {
  const asked = questionFor(wish)
  const [text, setText] = useState(asked.initial)
  const [isTold, setTold] = useState(false)
  const path = asked.pathOf(text.trim().normalize('NFC'))
  // Only once it was tried: nobody is told of a path that they are still typing.
  const fault = isTold ? faultOf(wish, text, path, tree) : undefined
  const doing = useAction(async () => {
    await run(wish, path, actions)
    close()
  })
  const submit = () => {
    setTold(true)
    if (faultOf(wish, text, path, tree) === undefined) doing.run()
  }
  return (
    <InputDialog
      title={asked.title}
      size="sm"
      submitLabel={asked.submit}
      isPending={doing.isPending}
      submit={submit}
      close={close}
    >
      <TextField
        label={asked.label}
        description={asked.help}
        errorMessage={fault}
        isMono
        placeholder={words.path.example}
        autoComplete="off"
        spellCheck="false"
        value={text}
        onChange={(typed) => {
          setText(typed)
          doing.forget()
        }}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type here
        autoFocus
        onFocus={({ target }) => {
          if (target instanceof HTMLInputElement) target.setSelectionRange(...selectionOf(wish, target.value))
        }}
      />
      <FailureNotice error={explain(doing.error)} />
    </InputDialog>
  )
}

interface Question {
  readonly title: string
  readonly submit: string
  readonly label: string
  readonly help?: string
  readonly initial: string
  readonly pathOf: (text: string) => string
}

function questionFor(wish: PathWish): Question {
  const { path } = words
  switch (wish.type) {
    case 'newFile':
    case 'newFolder':
      return {
        ...path[wish.type],
        label: path.label,
        initial: joinPath(wish.folder, ''),
        pathOf: (text) => (wish.type === 'newFolder' ? text.replace(/\/$/, '') : text),
      }
    case 'rename': {
      const { name, path: from } = wish.row
      const pathOf = (text: string) => joinPath(parentOf(from), text)
      return { ...path.rename, label: path.name, initial: name, pathOf }
    }
    case 'move': {
      const { title, ...rest } = path.move
      const { name, path: from } = wish.row
      return { ...rest, title: title(name), label: path.label, initial: from, pathOf: (text) => text }
    }
    default:
      return wish satisfies never
  }
}

function faultOf(wish: PathWish, text: string, path: string, tree: FileTree): string | undefined {
  if (wish.type === 'rename' && text.includes('/')) return words.path.slash
  const fault = pathFault(path)
  if (fault !== undefined) return fault
  const taken = findTaken(tree, path)
  // A name may be given other upper and lower case.
  const isItself = 'row' in wish && taken === wish.row.path
  return taken === undefined || isItself ? undefined : words.path.taken(taken)
}

async function run(wish: PathWish, path: string, actions: FileActions): Promise<void> {
  if (wish.type === 'newFile') return await actions.createFile(path)
  if (wish.type === 'newFolder') return actions.createFolder(path)
  await actions.move(wish.row.path, path)
}

/** What is most often typed over: the name without its ending. */
function selectionOf(wish: PathWish, text: string): [number, number] {
  if (wish.type !== 'rename')
    return [text.length - (wish.type === 'move' ? nameOf(text).length : 0), text.length]
  const dot = text.lastIndexOf('.')
  return [0, wish.row.kind === 'file' && dot > 0 ? dot : text.length]
}
