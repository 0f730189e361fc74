import { useState } from 'react'
import { TextField } from '../../../components/text-field.tsx'
import bar from '../parts/tool-bar.module.css'
import { words } from './words.ts'

interface FileNameFieldProps {
  name: string
  isReadOnly: boolean
  rename: (name: string) => void
}

/** A name that is stored when it is finished: with Enter, or by leaving the field. */
export function FileNameField({ name, isReadOnly, rename }: FileNameFieldProps) {
  const [draft, setDraft] = useState<string>()
  const finish = () => {
    const typed = draft?.trim().slice(0, 200)
    setDraft(undefined)
    if (typed !== undefined && typed !== name) rename(typed)
  }
  return (
    <div className={bar.wide}>
      <TextField
        label={words.fileName}
        isLabelHidden
        size="sm"
        isMono
        placeholder={words.fileNameExample}
        autoComplete="off"
        spellCheck="false"
        maxLength={200}
        value={draft ?? name}
        isReadOnly={isReadOnly}
        onChange={setDraft}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.key === 'Enter') finish()
          if (event.key === 'Escape') setDraft(undefined)
        }}
      />
    </div>
  )
}
