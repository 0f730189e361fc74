import { HANDLE_PATTERN } from '@patchbay/contracts/core'
import { HANDLE_LENGTH } from '@patchbay/contracts/limits'
import { TextField } from '../../components/text-field.tsx'
import { words } from './words.tsx'

const PATTERN = new RegExp(HANDLE_PATTERN)

interface HandleFieldProps {
  label?: string
  value: string
  onChange: (value: string) => void
  /** One that the server has refused as taken. */
  taken?: string | undefined
  description?: string
  /** Somebody wanted to go on: an empty field is a fault now. */
  isTried?: boolean
}

export function isHandle(text: string): boolean {
  return text.length <= HANDLE_LENGTH && PATTERN.test(text)
}

/** What is wrong with it, for somebody who is still typing; undefined for nothing yet. */
function complaint(text: string): string | undefined {
  if (text === '' || isHandle(text)) return undefined
  if (text.length > HANDLE_LENGTH) return words.handle.tooLong(HANDLE_LENGTH)
  if (/[^a-z0-9-]/.test(text)) return words.handle.wrongCharacters
  return words.handle.misplacedHyphen
}

export function HandleField({
  label = words.handle.label,
  value,
  onChange,
  taken,
  isTried = false,
  description = words.handle.description,
}: HandleFieldProps) {
  const missing = isTried && value === '' ? words.handle.missing : undefined
  const error = value !== '' && value === taken ? words.handle.taken : complaint(value)
  return (
    <TextField
      label={label}
      description={description}
      errorMessage={missing ?? error}
      value={value}
      // A phone begins every field with a capital letter.
      onChange={(text) => onChange(text.toLowerCase())}
      isRequired
      isMono
      autoComplete="username"
      spellCheck="false"
      size="lg"
    />
  )
}
