import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { handle, quarantineReason, shownTextOrNone } from '../core/handles.ts'
import { pageOf, pageQuery } from '../core/paging.ts'
import {
  packageIdentifier,
  packageVersionText,
  sha256Text,
  VISIBILITIES,
  versionStatus,
  visibility,
} from './packages.ts'

const refusals = ['sign_in_required', 'credential_invalid', 'not_permitted', 'database_unavailable'] as const
const changeRefusals = [...refusals, 'csrf_token_required'] as const
const publishRefusals = [
  ...changeRefusals,
  'archive_refused',
  'metadata_invalid',
  'identifier_taken',
  'package_quarantined',
  'type_change_refused',
  'version_exists',
  'limit_reached',
  'body_too_large',
  'request_timeout',
  'objects_unavailable',
  'rate_limited',
] as const
const owned = Type.Object({ owner: handle, identifier: packageIdentifier })
const named = Type.Object({ ...owned.properties, version: packageVersionText })
const firstVisibility = Type.Enum([...VISIBILITIES], {
  default: 'public',
  description: 'Applies to the first version; later versions keep the package’s visibility.',
})

export const publication = Type.Object({
  identifier: packageIdentifier,
  version: packageVersionText,
  owner: handle,
  visibility,
  download_url: Type.String(),
  download_sha256: sha256Text,
  download_size: Type.Integer(),
  install_size: Type.Integer(),
  is_indexed: Type.Boolean({ description: 'Whether the feeds carry it already; otherwise within seconds.' }),
  warnings: Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() })),
})
export type Publication = Static<typeof publication>

export const postPackage = endpoint({
  method: 'POST',
  path: '/registry/owners/{owner}/packages',
  name: 'publishPackage',
  summary: 'Publishes the version in an uploaded archive. The same bytes again change nothing',
  tag: 'Publishing',
  params: Type.Object({ owner: handle }),
  query: Type.Object({ visibility: Type.Optional(firstVisibility) }),
  upload: { mediaType: 'application/zip', description: 'The archive, with `metadata.json` at its root.' },
  responses: { 200: publication, 201: publication },
  problems: [...publishRefusals],
})

export const postPackageImport = endpoint({
  method: 'POST',
  path: '/registry/owners/{owner}/imports',
  name: 'importPackage',
  summary: 'Publishes the version in an archive that the server fetches and keeps a copy of',
  tag: 'Publishing',
  params: Type.Object({ owner: handle }),
  body: Type.Object(
    {
      url: Type.String({ maxLength: 2000, format: 'uri' }),
      sha256: Type.Optional(sha256Text),
      visibility: Type.Optional(firstVisibility),
    },
    { additionalProperties: false },
  ),
  responses: { 200: publication, 201: publication },
  problems: [...publishRefusals, 'source_refused', 'source_unavailable'],
})

export const patchPackage = endpoint({
  method: 'PATCH',
  path: '/registry/owners/{owner}/packages/{identifier}',
  name: 'listPackage',
  summary: 'Takes a package out of feeds and search, or back in. Nothing is deleted',
  tag: 'Publishing',
  params: owned,
  body: Type.Object({ is_listed: Type.Boolean() }, { additionalProperties: false }),
  responses: { 204: null },
  problems: [...changeRefusals, 'package_not_found', 'package_quarantined'],
})

export const patchPackageVersion = endpoint({
  method: 'PATCH',
  path: '/registry/owners/{owner}/packages/{identifier}/versions/{version}',
  name: 'changeVersionStatus',
  summary: 'Changes the status of a version, along the allowed ways',
  tag: 'Publishing',
  params: named,
  body: Type.Object({ status: versionStatus }, { additionalProperties: false }),
  responses: { 204: null },
  problems: [...changeRefusals, 'package_not_found', 'status_change_refused'],
})

export const putYank = endpoint({
  method: 'PUT',
  path: '/registry/owners/{owner}/packages/{identifier}/versions/{version}/yank',
  name: 'yankVersion',
  summary: 'Yanks a version: it stays for those who have pinned or name it, and nobody else is offered it',
  tag: 'Publishing',
  params: named,
  body: Type.Object(
    { reason: Type.Optional(shownTextOrNone(500, 'For everybody to read.')) },
    { additionalProperties: false },
  ),
  responses: { 204: null },
  problems: [...changeRefusals, 'package_not_found'],
})

export const deleteYank = endpoint({
  method: 'DELETE',
  path: '/registry/owners/{owner}/packages/{identifier}/versions/{version}/yank',
  name: 'unyankVersion',
  summary: 'Offers a yanked version again',
  tag: 'Publishing',
  params: named,
  responses: { 204: null },
  problems: [...changeRefusals, 'package_not_found'],
})

export const deletePackageVersion = endpoint({
  method: 'DELETE',
  path: '/registry/owners/{owner}/packages/{identifier}/versions/{version}',
  name: 'deleteVersion',
  summary: 'Deletes a version within 72 hours, while nobody else has downloaded it',
  description: 'The version is never published again with other content.',
  tag: 'Publishing',
  params: named,
  responses: { 204: null },
  problems: [...changeRefusals, 'package_not_found', 'version_delete_refused'],
})

const administratorRefusals = [...changeRefusals, 'browser_session_required', 'package_not_found'] as const

export const putQuarantine = endpoint({
  method: 'PUT',
  path: '/registry/packages/{identifier}/quarantine',
  name: 'quarantinePackage',
  summary: 'Takes a package out of feeds, search and downloads; for administrators',
  description: 'Within 5 seconds on every node. Its archives then answer 451 with the reason.',
  tag: 'Registry',
  params: Type.Object({ identifier: packageIdentifier }),
  body: Type.Object({ reason: quarantineReason }, { additionalProperties: false }),
  responses: { 204: null },
  problems: [...administratorRefusals],
})

export const deleteQuarantine = endpoint({
  method: 'DELETE',
  path: '/registry/packages/{identifier}/quarantine',
  name: 'releasePackage',
  summary: 'Releases a package from quarantine; for administrators',
  tag: 'Registry',
  params: Type.Object({ identifier: packageIdentifier }),
  responses: { 204: null },
  problems: [...administratorRefusals],
})

export const AUDIT_ACTIONS = [
  'published',
  'imported',
  'status_changed',
  'delisted',
  'listed',
  'yanked',
  'unyanked',
  'deleted',
  'quarantined',
  'released',
] as const

export const auditEntry = Type.Object({
  at: Type.String({ format: 'date-time' }),
  actor: handle,
  credential: Type.String({
    description: 'How they were known: a browser or application session, or an API key.',
  }),
  action: Type.Enum([...AUDIT_ACTIONS]),
  identifier: packageIdentifier,
  version: Type.Union([packageVersionText, Type.Null()]),
  detail: Type.String(),
})
export type AuditEntry = Static<typeof auditEntry>

export const getRegistryAudit = endpoint({
  method: 'GET',
  path: '/registry/owners/{owner}/audit',
  name: 'listRegistryAudit',
  summary: 'Who published and changed what, the latest first; for those who may read all of the owner',
  tag: 'Publishing',
  params: Type.Object({ owner: handle }),
  query: pageQuery,
  responses: { 200: pageOf(auditEntry) },
  problems: [...refusals],
})

export const getOwnedPackages = endpoint({
  method: 'GET',
  path: '/registry/owners/{owner}/packages',
  name: 'listOwnedPackages',
  summary:
    'Every package of an owner, also private and delisted ones; for those who may read all of the owner',
  tag: 'Publishing',
  params: Type.Object({ owner: handle }),
  query: pageQuery,
  responses: {
    200: pageOf(
      Type.Object({
        identifier: packageIdentifier,
        name: Type.String(),
        visibility,
        is_listed: Type.Boolean(),
        latest_version: Type.Union([packageVersionText, Type.Null()]),
        versions: Type.Integer(),
        updated_at: Type.String({ format: 'date-time' }),
      }),
    ),
  },
  problems: [...refusals],
})
