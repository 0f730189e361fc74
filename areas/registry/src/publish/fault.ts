/** The part of a finding that publishers are told. */
export interface Fault {
  readonly pointer: string
  readonly message: string
  readonly code: string
}
