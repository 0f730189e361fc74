import { Type } from 'typebox'
import { toolVersionKeys } from '../brand.ts'
import { LICENSES } from '../licenses.ts'
import type { Contact, Package, PackageVersion } from '../package.ts'
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
import type { RepositoryResource } from '../repository.ts'
import { PACKAGE_TYPES, PLATFORMS, RUNTIMES, VERSION_STATUSES } from '../vocabulary.ts'
import type { ValidateOptions } from './finding.ts'

/** One of the contract's shapes by its name. */
function refer<T>(name: string, description?: string) {
  return Type.Unsafe<T>(Type.Ref(`#/definitions/${name}`, description === undefined ? {} : { description }))
}

/** An object whose keys follow a pattern and whose values are short texts. */
function textsByKey(pattern: string, description: string) {
  const texts = Type.String({ maxLength: 500 })
  return Type.Record(Type.String({ pattern }), texts, { additionalProperties: false, description })
}

function wordOf<const T extends readonly string[]>(words: T, description: string) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: words, description })
}

const sha256 = (of: string) =>
  Type.String({ pattern: SHA256_PATTERN, description: `SHA-256 of the ${of}, lower-case hex` })
const bytes = (description: string) => Type.Integer({ minimum: 0, description })
const keptFiles = Type.Array(Type.String(), {
  uniqueItems: true,
  description: 'Regular expressions: which files are kept on update',
})

export const contactSchema = Type.Object(
  {
    name: Type.String({ maxLength: 500 }),
    contact: textsByKey(CONTACT_KEY_PATTERN, 'Ways to reach them'),
  },
  { description: 'A person or group' },
)

export const packageSchema = Type.Object(
  {
    name: Type.String({ maxLength: 200 }),
    description: Type.String({ maxLength: 500, description: 'Short description' }),
    description_full: Type.String({ maxLength: 5000, description: 'Long description' }),
    identifier: Type.String({ pattern: IDENTIFIER_PATTERN }),
    type: wordOf(PACKAGE_TYPES, 'What kind of package it is'),
    author: refer<Contact>('Contact'),
    maintainer: Type.Optional(refer<Contact>('Contact')),
    category: Type.Optional(Type.String()),
    license: refer<Package['license']>('License'),
    resources: textsByKey(RESOURCE_KEY_PATTERN, 'Links for people'),
    tags: Type.Optional(
      Type.Array(Type.String({ pattern: TAG_PATTERN }), { minItems: 1, uniqueItems: true }),
    ),
    keep_on_update: Type.Optional(keptFiles),
    versions: Type.Array(refer<PackageVersion>('PackageVersion'), { uniqueItems: true }),
  },
  { description: 'A package and its versions' },
)

export const versionSchema = (brand: string) => {
  const { min, max } = toolVersionKeys(brand)
  return Type.Object(
    {
      version: Type.String({ pattern: VERSION_PATTERN, description: 'major[.minor[.patch]]' }),
      version_epoch: Type.Optional(Type.Integer({ minimum: 0, description: 'A higher epoch is later' })),
      download_url: Type.Optional(refer<string>('URL', 'Direct download of the archive')),
      download_sha256: Type.Optional(sha256('archive')),
      download_size: Type.Optional(bytes('Size of the archive')),
      install_size: Type.Optional(bytes('Size when extracted')),
      status: wordOf(VERSION_STATUSES, 'How settled the version is'),
      platforms: Type.Optional(
        Type.Array(wordOf(PLATFORMS, 'Where it runs'), { minItems: 1, uniqueItems: true }),
      ),
      runtime: Type.Optional(wordOf(RUNTIMES, 'What a plugin needs; swig when absent')),
      [min]: Type.String({ pattern: TOOL_VERSION_PATTERN, description: 'Oldest tool that it runs in' }),
      [max]: Type.Optional(Type.String({ pattern: TOOL_VERSION_PATTERN, description: 'Newest one' })),
      keep_on_update: Type.Optional(keptFiles),
    },
    { description: 'One version of a package' },
  )
}

const packageArraySchema = Type.Object(
  { packages: Type.Array(refer<Package>('Package')) },
  { description: 'A list of packages' },
)

export const repositorySchema = Type.Object(
  {
    name: Type.String({ maxLength: 500 }),
    packages: refer<RepositoryResource>('RepositoryResource', 'The list of packages'),
    resources: Type.Optional(refer<RepositoryResource>('RepositoryResource', 'An archive of icons')),
    manifests: Type.Optional(refer<RepositoryResource>('RepositoryResource', 'The manifests of packages')),
    maintainer: Type.Optional(refer<Contact>('Contact')),
    $schema: Type.Optional(refer<string>('URL')),
  },
  { description: 'Where the files of a repository are' },
)

export const repositoryResourceSchema = Type.Object(
  {
    url: refer<string>('URL'),
    sha256: Type.Optional(sha256('file')),
    update_timestamp: Type.Integer({ description: 'When the file changed: seconds since 1970' }),
    update_time_utc: Type.Optional(
      Type.String({ pattern: UPDATE_TIME_PATTERN, description: 'The same, as YYYY-MM-DD HH:MM:SS in UTC' }),
    ),
  },
  { description: 'A file of a repository' },
)

/** Every shape of the contract, in one dialect. */
export function definitionsOf({ brand, urls }: Required<ValidateOptions>) {
  return {
    Package: packageSchema,
    Contact: contactSchema,
    PackageVersion: versionSchema(brand),
    PackageArray: packageArraySchema,
    Repository: repositorySchema,
    RepositoryResource: repositoryResourceSchema,
    URL: Type.String({ pattern: urls === 'strict' ? CONTRACT_URL_PATTERN : COMPAT_URL_PATTERN }),
    License: wordOf(LICENSES, 'The license of the package'),
  }
}
