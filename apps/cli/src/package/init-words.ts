/** What was said on the command line about a new package. */
export interface InitWords {
  readonly identifier?: string
  readonly name?: string
  readonly description?: string
  readonly descriptionFull?: string
  readonly type?: string
  readonly category?: string
  readonly author?: string
  readonly contact?: readonly string[]
  readonly license?: string
  readonly resource?: readonly string[]
  readonly tag?: readonly string[]
  readonly packageVersion?: string
  readonly status?: string
  readonly toolVersion?: string
  readonly toolVersionMax?: string
  readonly keepOnUpdate?: readonly string[]
  readonly toolBrand?: string
  readonly yes?: boolean
  readonly json?: boolean
}
