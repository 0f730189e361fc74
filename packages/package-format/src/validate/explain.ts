import type { ErrorObject } from 'ajv'
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
import type { Finding } from './finding.ts'
import { suggestLicense } from './license-hint.ts'
import { pathOf, pointerOf } from './pointer.ts'
import { countCharacters, kindOf, show } from './show.ts'
import { findRepeated } from './unique-items.ts'

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

function wordsOf(pattern: string): string {
  return WORDS[pattern] ?? `text that matches ${pattern}`
}

type Explanation = Pick<Finding, 'code' | 'message'> & {
  /** Below what the error points at. */
  readonly key?: string
}

/** What the checker found, in words. */
export function explain(error: ErrorObject): Finding {
  const { key, ...explanation } = (EXPLAIN[error.keyword] ?? explainUnknown)(error)
  const path = pathOf(error.instancePath)
  return { pointer: pointerOf(key === undefined ? path : [...path, key]), ...explanation, severity: 'error' }
}

const EXPLAIN: Readonly<Record<string, (error: ErrorObject) => Explanation>> = {
  type: ({ schema, data }) => ({
    code: 'type',
    message: `must be ${article(schema)}, found ${foundOf(data)}`,
  }),
  required: ({ params }) => ({ code: 'required', message: `${show(params['missingProperty'])} is missing` }),
  maxLength: ({ schema, data }) => ({
    code: 'too_long',
    message: `must have at most ${String(schema)} characters, found ${countCharacters(String(data))}`,
  }),
  pattern: ({ schema, data }) => ({
    code: 'pattern',
    message: `must be ${wordsOf(String(schema))}; found ${show(data)}`,
  }),
  minimum: ({ schema, data }) => ({
    code: 'minimum',
    message: `must be ${String(schema)} or more, found ${show(data)}`,
  }),
  minItems: () => ({
    code: 'too_few',
    message: 'must have at least one item: leave it out when there is none',
  }),
  uniqueItems: explainRepeated,
  additionalProperties: explainKey,
  enum: explainWord,
}

function explainUnknown({ keyword, message = 'is not valid' }: ErrorObject): Explanation {
  return { code: keyword, message }
}

function explainRepeated({ data }: ErrorObject): Explanation {
  const [earlier, later] = findRepeated(data as readonly unknown[]) ?? []
  return { code: 'duplicate_item', message: `must not repeat items: ${later} is the same as ${earlier}` }
}

/** A key that no pattern allows. */
function explainKey({ params, parentSchema }: ErrorObject): Explanation {
  const key = String(params['additionalProperty'])
  const [pattern = ''] = Object.keys((parentSchema?.['patternProperties'] as object | undefined) ?? {})
  return { code: 'key', key, message: `the key ${show(key)} must be ${wordsOf(pattern)}` }
}

function explainWord({ schema, schemaPath, data }: ErrorObject): Explanation {
  const words = schema as readonly string[]
  if (schemaPath.includes('/License/')) return { code: 'license', message: explainLicense(data) }
  return { code: 'word', message: `must be one of ${words.join(', ')}; found ${show(data)}` }
}

function explainLicense(data: unknown): string {
  const hint = typeof data === 'string' ? suggestLicense(data) : undefined
  const refusal = `${show(data)} is not on the list of licenses`
  if (hint === undefined)
    return `${refusal}, which has MIT, Apache-2.0, GPL-3.0, open-source, unrestricted and more`
  if (hint.relation === 'spelling') return `${refusal}: write ${show(hint.value)}`
  return `${refusal}: ${show(hint.value)} stands for those that have no name there`
}

function article(type: unknown): string {
  return type === 'object' || type === 'array' || type === 'integer' ? `an ${type}` : `a ${String(type)}`
}

function foundOf(data: unknown): string {
  const isNested = typeof data === 'object' && data !== null
  return isNested || data === null ? kindOf(data) : `${kindOf(data)}: ${show(data)}`
}
