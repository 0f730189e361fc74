import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'

export interface PackageName {
  readonly identifier: string
  /** Absent: whichever suits. */
  readonly version?: string
}

/** `com.example.blinky@1.2.0`. */
export function readName(named: string): PackageName {
  const [identifier = '', version, ...rest] = named.split('@')
  if (identifier !== '' && version !== '' && rest.length === 0)
    return { identifier, ...(version === undefined ? {} : { version }) }
  throw new Refusal(
    EXIT.usage,
    'bad_identifier',
    'Name a package as com.example.blinky or com.example.blinky@1.2.0.',
  )
}
