import { Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { handle } from '../core/handles.ts'
import { identifierFile, sha256Text, toolBrand } from './packages.ts'

const json = (description: string) => ({ mediaType: 'application/json', description })
const repository = json('`repository.json`: names the list, icons and manifests by their content.')
const sparse = json('The metadata of one package, as design tools read it.')
const schema = { mediaType: 'application/schema+json', description: 'JSON Schema, draft-07.' }
const tag = 'Feeds'

export const getFeeds = endpoint({
  method: 'GET',
  path: '/registry/feeds',
  name: 'showFeeds',
  cors: 'public',
  summary: 'For which design tools there are repositories, and whether there is one of all packages',
  tag,
  responses: {
    200: Type.Object({
      brands: Type.Array(toolBrand, {
        description: 'As they stand in the addresses of feeds; the neutral `tool` last.',
      }),
      whole_feed: Type.Enum(['served', 'too_large'], {
        description: '`too_large`: only those of single owners, and the sparse files, are served.',
      }),
    }),
  },
  problems: ['database_unavailable'],
})

export const getFeed = endpoint({
  method: 'GET',
  path: '/registry/feeds/{brand}/repository.json',
  name: 'getFeed',
  cors: 'public',
  summary: 'The repository of all public packages, for design tools',
  tag,
  params: Type.Object({ brand: toolBrand }),
  responses: { 200: repository, 304: null },
  problems: ['not_found', 'feed_too_large', 'database_unavailable'],
})

export const getOwnerFeed = endpoint({
  method: 'GET',
  path: '/registry/feeds/{brand}/{owner}/repository.json',
  name: 'getOwnerFeed',
  cors: 'public',
  summary: 'The repository of the public packages of one owner, for design tools',
  tag,
  params: Type.Object({ brand: toolBrand, owner: handle }),
  responses: { 200: repository, 304: null },
  problems: ['not_found', 'feed_too_large', 'database_unavailable'],
})

export const getPrivateFeed = endpoint({
  method: 'GET',
  path: '/registry/feeds/{brand}/{owner}/private/repository.json',
  name: 'getPrivateFeed',
  summary: 'The repository of all packages of one owner, for those who may read them',
  tag,
  params: Type.Object({ brand: toolBrand, owner: handle }),
  responses: { 200: repository, 304: null },
  problems: ['credential_invalid', 'not_found', 'feed_too_large', 'database_unavailable'],
})

export const FEED_FILES = ['repository.json', 'packages.json', 'resources.zip', 'manifests.json'] as const
const content = Type.Object({ sha256: sha256Text, name: Type.Enum([...FEED_FILES]) })
const bytes = { mediaType: 'application/octet-stream', description: 'The bytes with this SHA-256.' }

export const getFeedFile = endpoint({
  method: 'GET',
  path: '/registry/files/{sha256}/{name}',
  name: 'getFeedFile',
  cors: 'public',
  summary: 'A repository, or what it names: the list, the icons or the manifests. Never changes',
  tag,
  params: content,
  responses: { 200: bytes, 304: null },
  problems: ['not_found', 'database_unavailable', 'objects_unavailable'],
})

export const getPrivateFeedFile = endpoint({
  method: 'GET',
  path: '/registry/private-files/{owner}/{sha256}/{name}',
  name: 'getPrivateFeedFile',
  summary: 'The same for the private repository of an owner',
  tag,
  params: Type.Object({ owner: handle, ...content.properties }),
  responses: { 200: bytes, 304: null },
  problems: ['credential_invalid', 'not_found', 'database_unavailable', 'objects_unavailable'],
})

export const archiveFile = Type.String({ pattern: '^[-a-zA-Z0-9.]{1,130}[.]zip$' })
export const manifestFile = Type.String({ pattern: '^[a-f0-9]{64}[.]json$' })

export const getArchive = endpoint({
  method: 'GET',
  path: '/registry/archives/{sha256}/{file}',
  name: 'getArchive',
  cors: 'public',
  summary: 'The archive of a version. One of a private package is for those who may read it',
  tag,
  params: Type.Object({ sha256: sha256Text, file: archiveFile }),
  description:
    'A single `Range` is answered with 206; with `If-Range`, as long as it names the `ETag` of the whole. An operator may have public archives sent by the object store: then the answer is a 302 to an address that is good for some minutes.',
  responses: {
    200: { mediaType: 'application/zip', description: 'The archive.' },
    206: { mediaType: 'application/zip', description: 'The part of it that was asked for.' },
    302: null,
    304: null,
  },
  problems: [
    'credential_invalid',
    'package_not_found',
    'package_quarantined',
    'range_not_satisfiable',
    'database_unavailable',
    'objects_unavailable',
  ],
})

export const getManifest = endpoint({
  method: 'GET',
  path: '/registry/manifests/{file}',
  name: 'getManifest',
  cors: 'public',
  summary: 'The files that an archive installs, with their hashes: `{sha256 of the archive}.json`',
  tag,
  params: Type.Object({ file: manifestFile }),
  responses: { 200: json('The list of files.'), 304: null },
  problems: [
    'credential_invalid',
    'package_not_found',
    'package_quarantined',
    'database_unavailable',
    'objects_unavailable',
  ],
})

export const getIcon = endpoint({
  method: 'GET',
  path: '/registry/icons/{file}',
  name: 'getIcon',
  cors: 'public',
  summary: 'The icon of a package, by its SHA-256',
  tag,
  params: Type.Object({ file: Type.String({ pattern: '^[a-f0-9]{64}[.]png$' }) }),
  responses: { 200: { mediaType: 'image/png', description: 'The icon.' }, 304: null },
  problems: ['not_found', 'credential_invalid', 'database_unavailable', 'objects_unavailable'],
})

export const getSparsePackage = endpoint({
  method: 'GET',
  path: '/registry/sparse/{brand}/{file}',
  name: 'getSparsePackage',
  cors: 'public',
  summary: 'The metadata of one package: `{identifier}.json`',
  tag,
  params: Type.Object({
    brand: toolBrand,
    file: identifierFile,
  }),
  responses: { 200: sparse, 304: null },
  problems: ['not_found', 'package_not_found', 'package_quarantined', 'database_unavailable'],
})

export const getMetadataSchema = endpoint({
  method: 'GET',
  path: '/registry/schemas/v1.json',
  name: 'getMetadataSchema',
  cors: 'public',
  summary: 'The schema of package metadata, version 1',
  tag,
  query: Type.Object({ brand: Type.Optional(toolBrand) }),
  responses: { 200: schema, 304: null },
  problems: ['not_found'],
})

export const getMetadataSchemaOf = endpoint({
  method: 'GET',
  path: '/registry/schemas/v1/{document}',
  name: 'getMetadataSchemaOf',
  cors: 'public',
  summary: 'The schema of one kind of document, for editors',
  tag,
  params: Type.Object({ document: Type.Enum(['package.json', 'packages.json', 'repository.json']) }),
  query: Type.Object({ brand: Type.Optional(toolBrand) }),
  responses: { 200: schema, 304: null },
  problems: ['not_found'],
})

export const getTrustMetadata = endpoint({
  method: 'GET',
  path: '/registry/tuf/{file}',
  name: 'getTrustMetadata',
  cors: 'public',
  summary: 'The signed index (TUF) over feeds and sparse files',
  tag,
  params: Type.Object({
    file: Type.String({ pattern: '^([0-9]{1,10}[.])?[a-z][-a-z0-9]{0,40}[.]json$' }),
  }),
  responses: { 200: json('TUF metadata.'), 304: null },
  problems: ['not_found', 'database_unavailable'],
})
