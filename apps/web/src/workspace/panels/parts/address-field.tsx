import { type FormEvent, useState } from 'react'
import { TextField } from '../../../components/text-field.tsx'
import { readAddress, type TypedAddress } from './address.ts'
import bar from './tool-bar.module.css'

interface AddressFieldProps {
  label: string
  example: string
  place: string | undefined
  isReadOnly: boolean
  go: (url: string) => void
  /** What a typed text means. */
  read?: (typed: string) => TypedAddress
}

/** Shows an address, and takes another. Escape gives up what was typed. */
export function AddressField(props: AddressFieldProps) {
  const { label, example, place = '', isReadOnly, go, read = readAddress } = props
  const [draft, setDraft] = useState<string>()
  const [refused, setRefused] = useState<string>()

  const forget = () => {
    setDraft(undefined)
    setRefused(undefined)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const address = read(draft ?? place)
    if ('refused' in address) return setRefused(address.refused)
    forget()
    go(address.url)
  }
  return (
    <form className={bar.wide} onSubmit={submit} noValidate>
      <TextField
        label={label}
        isLabelHidden
        size="sm"
        placeholder={example}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck="false"
        value={draft ?? place}
        isReadOnly={isReadOnly}
        errorMessage={refused}
        onChange={(text) => {
          setDraft(text)
          setRefused(undefined)
        }}
        onFocus={({ target }) => {
          if (target instanceof HTMLInputElement) target.select()
        }}
        onBlur={() => {
          // Words about what was typed stay as long as it stands there.
          if (refused === undefined) setDraft(undefined)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') forget()
        }}
      />
    </form>
  )
}
