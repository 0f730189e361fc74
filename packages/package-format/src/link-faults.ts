import type { Contact, Package } from './package.ts'
import type { Finding } from './validate/finding.ts'

/** Where metadata may send a person. */
const ALLOWED = new Set(['http', 'https', 'mailto', 'file'])
/** Browsers follow these without an address behind them, some of them as code. */
const SCHEMES_WITHOUT_ADDRESS = new Set(['javascript', 'data', 'vbscript', 'blob', 'about', 'view-source'])
/** Browsers drop some of these from a scheme, and a person sees none of them: whoever puts them there hides something. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const IGNORED = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028\u2029\u202a-\u202e\u2060\ufeff]/g
const SCHEME = /^([a-z][a-z0-9+.-]*):(\/\/)?/i

/**
 * Values of `resources` and `contact` that look like a link to somewhere nobody should be sent. The format takes any
 * text, so they are valid; tools that make links of whatever they find would run some of them.
 */
export function findUnsafeLinks(value: unknown): Finding[] {
  const { author, maintainer, resources = {} } = value as Partial<Package>
  return [
    ...faultsIn(resources, '/resources'),
    ...faultsIn(contactOf(author), '/author/contact'),
    ...faultsIn(contactOf(maintainer), '/maintainer/contact'),
  ]
}

function contactOf(contact: Contact | undefined): Readonly<Record<string, string>> {
  return contact?.contact ?? {}
}

function faultsIn(values: Readonly<Record<string, string>>, pointer: string): Finding[] {
  return Object.entries(values)
    .filter(([, text]) => isUnsafeLink(text))
    .map(([key]) => ({
      pointer: `${pointer}/${key}`,
      message: 'is a link, and links may begin with http:, https:, mailto: or file:',
      severity: 'error',
      code: 'unsafe_link',
    }))
}

function isUnsafeLink(text: string): boolean {
  const [, scheme = '', address] = SCHEME.exec(text.replaceAll(IGNORED, '')) ?? []
  const name = scheme.toLowerCase()
  const isLink = name !== '' && (address !== undefined || SCHEMES_WITHOUT_ADDRESS.has(name))
  return isLink && !ALLOWED.has(name)
}
