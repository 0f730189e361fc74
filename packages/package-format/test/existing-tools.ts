import { isDeepStrictEqual } from 'node:util'
import { LICENSES } from '../src/index.ts'
import { COMPAT_URL_PATTERN } from '../src/patterns.ts'

/**
 * What existing tools take for a package, in the dialect of their brand, written a second time and in another way: with
 * neither our schemas nor their engine. Where the schema that these tools publish is at hand, both are compared.
 */
export function isTakenByExistingTools(value: unknown): boolean {
  return PACKAGE(value)
}

type Check = (value: unknown) => boolean

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Characters, of which one outside the basic plane is one. */
const text =
  (most = Number.POSITIVE_INFINITY): Check =>
  (value) =>
    typeof value === 'string' && Array.from(value).length <= most

const like =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value)

const oneOf =
  (words: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value)

const count: Check = (value) => Number.isInteger(value) && Number(value) >= 0

/** A list without repetitions, as all of theirs are. */
const listOf =
  (item: Check, least = 0): Check =>
  (value) =>
    Array.isArray(value) &&
    value.length >= least &&
    value.every(item) &&
    value.every((each, index) => !value.slice(0, index).some((other) => isDeepStrictEqual(each, other)))

/** Keys that nobody named may hold anything. */
const object =
  (required: readonly string[], fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) &&
    required.every((key) => value[key] !== undefined) &&
    Object.entries(fields).every(([key, check]) => value[key] === undefined || check(value[key]))

const textsUnder =
  (key: RegExp): Check =>
  (value) =>
    isObject(value) && Object.entries(value).every(([name, each]) => key.test(name) && text(500)(each))

const TOOL_VERSION = like(/^\d{1,2}(\.\d{1,2}(\.\d{1,2})?)?$/)
const KEPT = listOf(text())

const CONTACT = object(['name', 'contact'], {
  name: text(500),
  contact: textsUnder(/^[a-z][-a-z0-9 ]{0,48}[a-z0-9]$/),
})

const VERSION = object(['version', 'status', 'kicad_version'], {
  version: like(/^\d{1,4}(\.\d{1,4}(\.\d{1,6})?)?$/),
  version_epoch: count,
  download_url: like(new RegExp(COMPAT_URL_PATTERN, 'u')),
  download_sha256: like(/^[a-f0-9]{64}$/),
  download_size: count,
  install_size: count,
  status: oneOf(['stable', 'testing', 'development', 'deprecated']),
  platforms: listOf(oneOf(['windows', 'macos', 'linux']), 1),
  runtime: oneOf(['swig', 'ipc']),
  kicad_version: TOOL_VERSION,
  kicad_version_max: TOOL_VERSION,
  keep_on_update: KEPT,
})

const PACKAGE = object(
  [
    'name',
    'description',
    'description_full',
    'identifier',
    'type',
    'author',
    'license',
    'resources',
    'versions',
  ],
  {
    name: text(200),
    description: text(500),
    description_full: text(5000),
    identifier: like(/^[a-zA-Z][-a-zA-Z0-9.]{0,98}[a-zA-Z0-9]$/),
    type: oneOf(['plugin', 'library', 'colortheme']),
    author: CONTACT,
    maintainer: CONTACT,
    category: text(),
    license: oneOf(LICENSES),
    resources: textsUnder(/^[a-zA-Z][-a-zA-Z0-9 ]{0,48}[a-zA-Z0-9]$/),
    tags: listOf(like(/^[a-z][-a-z0-9]{0,48}[a-z0-9]$/), 1),
    keep_on_update: KEPT,
    versions: listOf(VERSION),
  },
)
