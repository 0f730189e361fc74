import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Select } from '../../../components/select.tsx'
import { TextField } from '../../../components/text-field.tsx'
import styles from './schematic-editor.module.css'
import type { Placing } from './tools/tool.ts'
import type { TextKind } from './use-sheet-tool.ts'
import { words } from './words.ts'

const SHAPES = ['input', 'output', 'bidirectional', 'tri_state', 'passive'] as const
const LONGEST = 1_000

interface TextDialogProps {
  what: TextKind
  place: (what: Placing) => void
  close: () => void
}

/** What a label or a text says, before it is placed. */
export function TextDialog({ what, place, close }: TextDialogProps) {
  const [text, setText] = useState('')
  const [shape, setShape] = useState<string>('bidirectional')
  const isDirected = what === 'global_label' || what === 'hierarchical_label'
  const said = text.trim().slice(0, LONGEST).toWellFormed()
  const submit = () => {
    if (said !== '') place({ kind: what, text: said, ...(isDirected && { shape }) })
  }
  return (
    <Dialog
      title={words.text.titles[what]}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
      renderActions={(end) => (
        <>
          <Button variant="ghost" onPress={end}>
            {words.text.cancel}
          </Button>
          <Button variant="primary" isDisabled={said === ''} onPress={submit}>
            {words.text.place}
          </Button>
        </>
      )}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type it */}
        <TextField label={words.text.field} value={text} onChange={setText} maxLength={LONGEST} autoFocus />
        {isDirected && (
          <Select
            label={words.text.shape}
            options={SHAPES.map((id) => ({ id, label: words.text.shapes[id] }))}
            value={shape}
            onChange={(id) => setShape(String(id))}
          />
        )}
      </form>
    </Dialog>
  )
}
