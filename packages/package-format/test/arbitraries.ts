import {
  type Arbitrary,
  array,
  constantFrom,
  dictionary,
  integer,
  nat,
  option,
  record,
  string,
  tuple,
  uniqueArray,
} from 'fast-check'
import {
  type Contact,
  LICENSES,
  PACKAGE_TYPES,
  type Package,
  type PackageVersion,
  PLATFORMS,
  RUNTIMES,
  VERSION_STATUSES,
} from '../src/index.ts'

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
const LETTERS = LOWER + LOWER.toUpperCase()

/** Text of the given characters. */
function textOf(characters: string, bounds: { minLength?: number; maxLength: number }): Arbitrary<string> {
  return string({ unit: constantFrom(...characters.split('')), ...bounds })
}

/** A first character, some in the middle, a last one: how all names of the format are built. */
function nameOf(first: string, middle: string, last: string, maxMiddle: number): Arbitrary<string> {
  return tuple(
    textOf(first, { minLength: 1, maxLength: 1 }),
    textOf(middle, { maxLength: maxMiddle }),
    textOf(last, { minLength: 1, maxLength: 1 }),
  ).map((parts) => parts.join(''))
}

/** Any characters that JSON can hold, counted as JSON Schema counts them. */
const shownText = (maxLength: number) => string({ unit: 'binary', maxLength, size: 'small' })

export const identifiers = nameOf(LETTERS, `${LETTERS}${DIGITS}-.`, LETTERS + DIGITS, 98)
export const tags = nameOf(LOWER, `${LOWER}${DIGITS}-`, LOWER + DIGITS, 48)
const resourceKeys = nameOf(LETTERS, `${LETTERS}${DIGITS}- `, LETTERS + DIGITS, 48)
const contactKeys = nameOf(LOWER, `${LOWER}${DIGITS}- `, LOWER + DIGITS, 48)

const numbersUpTo = (...limits: readonly number[]) =>
  tuple(integer({ min: 1, max: limits.length }), ...limits.map((max) => nat(max))).map(
    ([count, ...numbers]) => numbers.slice(0, count).join('.'),
  )
export const versionTexts = numbersUpTo(9999, 9999, 999_999)
export const toolVersionTexts = numbersUpTo(99, 99, 99)

/** Addresses that the contract and existing tools both take. */
export const urls: Arbitrary<string> = tuple(
  constantFrom('https://', 'http://', 'file:///', 'file://C:'),
  nameOf(LOWER, `${LOWER}${DIGITS}-./:?#%$`, LOWER, 40),
).map((parts) => parts.join(''))

const hashes = textOf('abcdef0123456789', { minLength: 64, maxLength: 64 })
const keptFiles = uniqueArray(shownText(30), { maxLength: 3 })

/** Optional fields are left out, never undefined: JSON knows no undefined. */
const dropAbsent = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T

const maybe = <T>(arbitrary: Arbitrary<T>) => option(arbitrary, { nil: undefined })

export const contacts: Arbitrary<Contact> = record({
  name: shownText(500),
  contact: dictionary(contactKeys, shownText(500), { maxKeys: 3 }),
})

export const packageVersions = record({
  version: versionTexts,
  version_epoch: maybe(nat()),
  download_url: maybe(urls),
  download_sha256: maybe(hashes),
  download_size: maybe(nat()),
  install_size: maybe(nat()),
  status: constantFrom(...VERSION_STATUSES),
  platforms: maybe(uniqueArray(constantFrom(...PLATFORMS), { minLength: 1 })),
  runtime: maybe(constantFrom(...RUNTIMES)),
  tool_version: toolVersionTexts,
  tool_version_max: maybe(toolVersionTexts),
  keep_on_update: maybe(keptFiles),
}).map(dropAbsent) as Arbitrary<PackageVersion>

/** Valid packages in the neutral dialect. */
export const packages = record({
  $schema: maybe(urls),
  name: shownText(200),
  description: shownText(500),
  description_full: shownText(5000),
  identifier: identifiers,
  type: constantFrom(...PACKAGE_TYPES),
  author: contacts,
  maintainer: maybe(contacts),
  category: maybe(shownText(50)),
  license: constantFrom(...LICENSES),
  resources: dictionary(resourceKeys, shownText(500), { maxKeys: 3 }),
  tags: maybe(uniqueArray(tags, { minLength: 1, maxLength: 4 })),
  keep_on_update: maybe(keptFiles),
  versions: uniqueArray(packageVersions, { maxLength: 4, selector: ({ version }) => version }),
}).map(dropAbsent) as Arbitrary<Package>

export const packageLists = array(packages, { maxLength: 4 }).map((list) => ({ packages: list }))
