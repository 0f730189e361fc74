import { useState } from 'react'
import { Select } from '../../../components/select.tsx'
import { TextField } from '../../../components/text-field.tsx'
import { InputDialog } from '../../../parts/input-dialog.tsx'
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
  return (
    <InputDialog
      title={words.text.titles[what]}
      submitLabel={words.text.place}
      canSubmit={said !== ''}
      submit={() => place({ kind: what, text: said, ...(isDirected && { shape }) })}
      close={close}
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
    </InputDialog>
  )
}
