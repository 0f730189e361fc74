/** Where this check and the schema of existing tools differ on purpose. */
export interface Difference {
  readonly name: string
  readonly reason: string
  /** Who takes the example. */
  readonly takenBy: 'us' | 'them'
  /** A download_url that shows it. */
  readonly example: string
  /** Whether a URL is of this kind. */
  readonly explains: (url: string) => boolean
}

export const URL_DIFFERENCES: readonly Difference[] = [
  {
    name: 'text after a web address',
    reason:
      'their pattern ends only its second alternative, so anything may follow the first: the contract allows no white space',
    takenBy: 'them',
    example: 'https://example.com/a b',
    explains: (url) => /^https?:\/\/[^\s/$.?#]/u.test(url) && /\s/u.test(url),
  },
  {
    name: 'text before a file address',
    reason:
      'their pattern begins only its first alternative, so a script may stand before file:///: the contract begins with file://',
    takenBy: 'them',
    example: 'javascript:alert(1)//file:///x',
    explains: (url) => /.file:\/\//su.test(url),
  },
  {
    name: 'a host of one character',
    reason: 'their pattern wants two characters after the slashes: the contract wants a host',
    takenBy: 'us',
    example: 'http://a',
    explains: (url) => /^https?:\/\/[^\s/]$/u.test(url),
  },
  {
    name: 'a host that begins with one of $.?#',
    reason: 'their pattern excludes these four: the contract excludes white space and slashes',
    takenBy: 'us',
    example: 'http://.example.com',
    explains: (url) => /^https?:\/\/[$.?#]/u.test(url),
  },
]

export const NESTING = {
  name: 'deep nesting in unknown keys',
  reason:
    'whoever walks such a value recursively, to write it for one, ends: more than 32 levels are refused',
} as const
