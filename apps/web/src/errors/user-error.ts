/** A fault of this browser, or of what it was asked to do, with the words for a person. */
export class UserError extends Error {
  override readonly name = 'Tellable'
  readonly title: string
  readonly detail: string

  constructor(title: string, detail: string, cause?: unknown) {
    super(title, cause === undefined ? {} : { cause })
    this.title = title
    this.detail = detail
  }
}
