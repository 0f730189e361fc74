import { Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { handle, shownText } from '../core/handles.ts'
import { archiveFile, FEED_FILES, manifestFile } from './files.ts'
import { sha256Text, toolBrand } from './packages.ts'

const refusals = ['sign_in_required', 'credential_invalid', 'not_permitted', 'database_unavailable'] as const
const tag = 'Publishing'
const path = '/registry/owners/{owner}/feed-addresses'
const id = Type.String({ format: 'uuid' })

const feedAddress = Type.Object({
  id,
  label: Type.String(),
  created_by: handle,
  created_at: Type.String({ format: 'date-time' }),
})

export const getFeedAddresses = endpoint({
  method: 'GET',
  path,
  name: 'listFeedAddresses',
  summary: 'The secret addresses of the private repository of an owner, without their secrets',
  tag,
  params: Type.Object({ owner: handle }),
  responses: { 200: Type.Object({ addresses: Type.Array(feedAddress) }) },
  problems: [...refusals],
})

export const postFeedAddress = endpoint({
  method: 'POST',
  path,
  name: 'createFeedAddress',
  summary: 'Makes a secret address of the private repository of an owner, for tools that can send no key',
  description:
    'Whoever has the address can read all packages of the owner until it is revoked. It is shown once. For those who may write all packages of the owner.',
  tag,
  params: Type.Object({ owner: handle }),
  body: Type.Object(
    { label: shownText(80, 'Who uses it, to know which one to revoke.') },
    { additionalProperties: false },
  ),
  responses: {
    201: Type.Object({
      ...feedAddress.properties,
      feeds: Type.Array(Type.Object({ brand: toolBrand, url: Type.String() }), {
        description: 'To add in a design tool; secret, and shown here alone.',
      }),
    }),
  },
  problems: [...refusals, 'csrf_token_required', 'limit_reached'],
})

export const deleteFeedAddress = endpoint({
  method: 'DELETE',
  path: `${path}/{id}`,
  name: 'revokeFeedAddress',
  summary: 'Revokes a secret address: from then on it leads nowhere',
  tag,
  params: Type.Object({ owner: handle, id }),
  responses: { 204: null },
  problems: [...refusals, 'csrf_token_required', 'not_found'],
})

const token = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })
const bytes = { mediaType: 'application/octet-stream', description: 'The file.' }
const answers = {
  tag: 'Feeds',
  responses: { 200: bytes, 304: null },
  problems: ['not_found', 'rate_limited', 'database_unavailable', 'objects_unavailable'],
} as const

export const getSharedFeed = endpoint({
  ...answers,
  method: 'GET',
  path: '/registry/shared/{token}/{brand}/repository.json',
  name: 'getSharedFeed',
  summary: 'The private repository of an owner at a secret address. All addresses in it are below that one',
  params: Type.Object({ token, brand: toolBrand }),
})

export const getSharedFeedFile = endpoint({
  ...answers,
  method: 'GET',
  path: '/registry/shared/{token}/files/{sha256}/{name}',
  name: 'getSharedFeedFile',
  summary: 'A file that it names',
  params: Type.Object({ token, sha256: sha256Text, name: Type.Enum([...FEED_FILES]) }),
})

export const getSharedArchive = endpoint({
  ...answers,
  method: 'GET',
  path: '/registry/shared/{token}/archives/{sha256}/{file}',
  name: 'getSharedArchive',
  summary: 'An archive of it',
  params: Type.Object({ token, sha256: sha256Text, file: archiveFile }),
  responses: { 200: bytes, 206: bytes, 304: null },
  problems: [...answers.problems, 'package_not_found', 'range_not_satisfiable'],
})

export const getSharedManifest = endpoint({
  ...answers,
  method: 'GET',
  path: '/registry/shared/{token}/manifests/{file}',
  name: 'getSharedManifest',
  summary: 'The files that an archive of it installs',
  params: Type.Object({ token, file: manifestFile }),
  problems: [...answers.problems, 'package_not_found'],
})
