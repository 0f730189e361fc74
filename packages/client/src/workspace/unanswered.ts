/**
 * Nothing came back. Whether it was carried out is not known, so only calls that may be repeated are. The text holds the
 * system's own word for what happened, and neither the address nor the credential.
 */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
  /** No answer in time, as distinct from no connection. */
  readonly isLate: boolean

  constructor(what: string, isLate: boolean) {
    super(what)
    this.isLate = isLate
  }
}
