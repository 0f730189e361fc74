import {
  COMPAT_URL_PATTERN,
  CONTACT_KEY_PATTERN,
  CONTRACT_URL_PATTERN,
  IDENTIFIER_PATTERN,
  RESOURCE_KEY_PATTERN,
  SHA256_PATTERN,
  TAG_PATTERN,
  TOOL_VERSION_PATTERN,
  UPDATE_TIME_PATTERN,
  VERSION_PATTERN,
} from '../patterns.ts'

const URL_WORDS = 'an address that begins with https://, http:// or file:///, without white space'

/** Each pattern in words, to stand after "must be". */
const WORDS: Readonly<Record<string, string>> = {
  [IDENTIFIER_PATTERN]:
    '2 to 100 letters, digits, dots and hyphens, a letter first and no dot or hyphen last, such as com.example.blinky',
  [VERSION_PATTERN]:
    'major[.minor[.patch]] in digits, such as 1.4 or 1.4.12, with no v in front and no suffix',
  [TOOL_VERSION_PATTERN]: 'major[.minor[.patch]] of at most two digits each, such as 8.0',
  [TAG_PATTERN]: '2 to 50 lower-case letters, digits and hyphens, a letter first and no hyphen last',
  [SHA256_PATTERN]: 'the 64 hex digits of a SHA-256, in lower case',
  [RESOURCE_KEY_PATTERN]:
    '2 to 50 letters, digits, hyphens and blanks, a letter first and a letter or digit last',
  [CONTACT_KEY_PATTERN]:
    '2 to 50 lower-case letters, digits, hyphens and blanks, a letter first and a letter or digit last',
  [UPDATE_TIME_PATTERN]: 'a time like 2026-01-31 18:00:00',
  [CONTRACT_URL_PATTERN]: URL_WORDS,
  [COMPAT_URL_PATTERN]: URL_WORDS,
}

export function wordsOf(pattern: string): string {
  return WORDS[pattern] ?? `text that matches ${pattern}`
}
