import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { handle } from '../core/handles.ts'
import { pageOf, pageQuery } from '../core/paging.ts'
import { provenance } from '../core/provenance.ts'

/** The words of package metadata that addresses and answers use; a test holds them against the metadata's own schema. */
export const REGISTRY_PACKAGE_TYPES = ['plugin', 'library', 'colortheme'] as const
export const REGISTRY_PLATFORMS = ['windows', 'macos', 'linux'] as const
export const REGISTRY_STATUSES = ['stable', 'testing', 'development', 'deprecated'] as const
export const REGISTRY_RUNTIMES = ['swig', 'ipc'] as const
export const VISIBILITIES = ['public', 'private'] as const

const packageType = Type.Enum([...REGISTRY_PACKAGE_TYPES])
const platform = Type.Enum([...REGISTRY_PLATFORMS])
export const versionStatus = Type.Enum([...REGISTRY_STATUSES])
export const visibility = Type.Enum([...VISIBILITIES])
export type Visibility = Static<typeof visibility>

const IDENTIFIER = '[a-zA-Z][-a-zA-Z0-9.]{0,98}[a-zA-Z0-9]'
export const packageIdentifier = Type.String({
  pattern: `^${IDENTIFIER}$`,
  description: 'Names a package everywhere, such as `com.example.blinky`.',
})
export const identifierFile = Type.String({ pattern: `^${IDENTIFIER}[.]json$` })
export const packageVersionText = Type.String({
  pattern: '^[0-9]{1,4}([.][0-9]{1,4}([.][0-9]{1,6})?)?$',
  description: 'major[.minor[.patch]]',
})
const toolVersionText = Type.String({
  pattern: '^[0-9]{1,2}([.][0-9]{1,2}([.][0-9]{1,2})?)?$',
  description: 'A version of the design tool.',
})
export const sha256Text = Type.String({ pattern: '^[a-f0-9]{64}$' })
export const toolBrand = Type.String({
  pattern: '^[a-z][a-z0-9]{0,30}$',
  description: 'The word before `_version` in metadata: `tool`, or the brand that a design tool reads.',
})

const time = Type.String({ format: 'date-time' })
const nullable = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])
const contact = Type.Object({ name: Type.String(), contact: Type.Record(Type.String(), Type.String()) })

/** One line of a search: enough to choose by. */
export const packageSummary = Type.Object({
  identifier: packageIdentifier,
  owner: handle,
  name: Type.String(),
  description: Type.String(),
  type: packageType,
  author: Type.String(),
  license: Type.String(),
  tags: Type.Array(Type.String()),
  icon_url: nullable(Type.String()),
  visibility,
  latest: nullable(
    Type.Object(
      {
        version: packageVersionText,
        status: versionStatus,
        tool_version: toolVersionText,
        tool_version_max: nullable(toolVersionText),
        platforms: Type.Array(platform, { description: 'Empty: all.' }),
        runtime: nullable(Type.String({ description: 'What a plugin needs; null for other packages.' })),
        published_at: time,
      },
      { description: 'The version that would be installed of those that fit the filters.' },
    ),
  ),
})
export type PackageSummary = Static<typeof packageSummary>

export const publishedVersion = Type.Object({
  version: packageVersionText,
  version_epoch: Type.Integer(),
  status: versionStatus,
  tool_version: toolVersionText,
  tool_version_max: nullable(toolVersionText),
  platforms: Type.Array(platform, { description: 'Empty: all.' }),
  runtime: nullable(Type.String()),
  download_url: Type.String(),
  download_sha256: sha256Text,
  download_size: Type.Integer(),
  install_size: Type.Integer(),
  published_at: time,
  published_by: handle,
  provenance: nullable(provenance),
  yanked: nullable(
    Type.Object(
      { at: time, reason: Type.String() },
      {
        description: 'Offered to nobody who does not name this very version.',
      },
    ),
  ),
  is_deletable: Type.Boolean({
    description:
      'Whether whoever may publish it can still delete it: younger than 72 hours, and downloaded by nobody else.',
  }),
})
export type PublishedVersion = Static<typeof publishedVersion>

/** What a page about one package shows. The metadata itself is at its sparse address. */
export const packagePage = Type.Object({
  identifier: packageIdentifier,
  owner: handle,
  visibility,
  is_listed: Type.Boolean(),
  name: Type.String(),
  description: Type.String(),
  description_full: Type.String(),
  type: packageType,
  category: nullable(Type.String()),
  author: contact,
  maintainer: nullable(contact),
  license: Type.String(),
  resources: Type.Record(Type.String(), Type.String()),
  tags: Type.Array(Type.String()),
  icon_url: nullable(Type.String()),
  created_at: time,
  updated_at: time,
  quarantine: nullable(
    Type.Object(
      { at: time, reason: Type.String() },
      { description: 'An administrator has taken it down; shown to its people and to administrators.' },
    ),
  ),
  versions: Type.Array(publishedVersion, { description: 'The latest first.' }),
  feeds: Type.Array(Type.Object({ brand: toolBrand, url: Type.String() }), {
    description: 'Addresses of the repositories that carry it, to add in a design tool.',
  }),
})
export type PackagePage = Static<typeof packagePage>

export const searchQuery = Type.Object(
  {
    ...pageQuery.properties,
    q: Type.Optional(Type.String({ maxLength: 200, description: 'Words; the last may be unfinished.' })),
    type: Type.Optional(packageType),
    platform: Type.Optional(platform),
    runtime: Type.Optional(
      Type.Enum([...REGISTRY_RUNTIMES], {
        description: 'The runtime for plugins. Without it, those that the tool version has.',
      }),
    ),
    tool_version: Type.Optional(toolVersionText),
    status: Type.Optional(versionStatus),
    tag: Type.Optional(Type.String({ pattern: '^[a-z][-a-z0-9]{0,48}[a-z0-9]$' })),
    owner: Type.Optional(handle),
  },
  // A filter that is misspelled would match everything.
  { additionalProperties: false },
)
export type SearchQuery = Static<typeof searchQuery>

export const getPackageSearch = endpoint({
  method: 'GET',
  path: '/registry/search',
  name: 'searchPackages',
  cors: 'public',
  summary: 'Packages by words and by what they run on, the best match first',
  tag: 'Registry',
  query: searchQuery,
  responses: { 200: pageOf(packageSummary) },
  problems: ['rate_limited', 'database_unavailable'],
})

export const getPackagePage = endpoint({
  method: 'GET',
  path: '/registry/packages/{identifier}',
  name: 'showPackage',
  cors: 'public',
  summary: 'One package with its versions. A private one is shown to those who may read it',
  tag: 'Registry',
  params: Type.Object({ identifier: packageIdentifier }),
  responses: { 200: packagePage },
  problems: ['package_not_found', 'package_quarantined', 'database_unavailable'],
})
