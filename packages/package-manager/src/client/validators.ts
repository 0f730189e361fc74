/** What a server gave to ask "has it changed since?" with. */
export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
}

const ETAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,256}"$/
const LONGEST_DATE = 64

/** Only what a server would understand: some answer 400 to an ETag of their own that is none. */
export function validatorsOf(headers: Headers): Validators {
  const etag = headers.get('etag') ?? ''
  const lastModified = headers.get('last-modified') ?? ''
  const isDate = lastModified.length <= LONGEST_DATE && !Number.isNaN(Date.parse(lastModified))
  return { ...(ETAG.test(etag) ? { etag } : {}), ...(isDate ? { lastModified } : {}) }
}

export function conditionalHeaders(validators: Validators | undefined): Record<string, string> {
  if (validators?.etag !== undefined) return { 'if-none-match': validators.etag }
  if (validators?.lastModified !== undefined) return { 'if-modified-since': validators.lastModified }
  return {}
}
