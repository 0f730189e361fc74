import { readFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import {
  choice,
  type Fault,
  integer,
  type Kind,
  list,
  network,
  optional,
  text,
  url,
  withDefault,
} from '@patchbay/kernel/config'
import { Secret } from '@patchbay/kernel/log'
import type { ArchiveDelivery, RegistrySettings } from '@patchbay/registry'
// Alone: every process reads these definitions at its start, and the area brings a database with it.
import { LARGEST_ARCHIVE_BYTES } from '@patchbay/registry/limits'

const MIB = 1024 * 1024
const NAME_LENGTH = 500

const brand: Kind<string> = {
  accepts: 'word of small letters and digits',
  parse: (value) => {
    if (!/^[a-z][a-z0-9]{0,30}$/.test(value))
      throw new Error(`"${value}" is not a word of small letters and digits`)
    return value
  },
}

const shortText: Kind<string> = {
  accepts: `text of at most ${NAME_LENGTH} characters`,
  parse: (value) => {
    if (value.length > NAME_LENGTH) throw new Error(`has more than ${NAME_LENGTH} characters`)
    return value
  },
}

export const registrySettings = {
  toolBrands: withDefault(
    {
      variable: 'PATCHBAY_TOOL_BRANDS',
      meaning:
        'The words before `_version` in package metadata that design tools read; feeds are served for each, and for the neutral `tool`.',
    },
    list(brand),
    ['kicad'],
  ),
  repositoryName: withDefault(
    {
      variable: 'PATCHBAY_REPOSITORY_NAME',
      meaning: 'What design tools call the package repository of this installation.',
    },
    shortText,
    'Patchbay',
  ),
  maxArchiveMb: withDefault(
    {
      variable: 'PATCHBAY_MAX_ARCHIVE_MB',
      meaning:
        'The largest package archive that can be published, in MiB. What installs packages reads no larger ones than the maximum.',
    },
    integer({ min: 1, max: LARGEST_ARCHIVE_BYTES / MIB }),
    256,
  ),
  feedMaxMb: withDefault(
    {
      variable: 'PATCHBAY_FEED_MAX_MB',
      meaning:
        'How large the list of all public packages may become, in MiB. Design tools read 10; beyond it that list is not served, those of owners and single packages are.',
    },
    integer({ min: 1, max: 1_024 }),
    10,
  ),
  publishesPerMinute: withDefault(
    {
      variable: 'PATCHBAY_PUBLISHES_PER_MINUTE',
      meaning: 'How many archives one client address may publish in a minute.',
    },
    integer({ min: 1, max: 100_000_000 }),
    120,
  ),
  importsPerMinute: withDefault(
    {
      variable: 'PATCHBAY_IMPORTS_PER_MINUTE',
      meaning: 'How many archives one client address may have fetched from elsewhere in a minute.',
    },
    integer({ min: 1, max: 100_000_000 }),
    30,
  ),
  searchesPerMinute: withDefault(
    {
      variable: 'PATCHBAY_SEARCHES_PER_MINUTE',
      meaning: 'How many searches for packages one client address may make in a minute.',
    },
    integer({ min: 1, max: 100_000_000 }),
    600,
  ),
  auditRetentionDays: withDefault(
    {
      variable: 'PATCHBAY_AUDIT_RETENTION_DAYS',
      meaning: 'For how many days the audit says who published and changed packages.',
    },
    integer({ min: 1, max: 36_500 }),
    730,
  ),
  archiveDelivery: withDefault(
    {
      variable: 'PATCHBAY_ARCHIVE_DELIVERY',
      meaning:
        'Who sends public archives: `server`, this process; `redirect`, the bucket, to whose address clients are sent; `nginx`, the one in front, which reads the folder of the objects itself (`X-Accel-Redirect`). Private archives always come from the server.',
    },
    choice(['server', 'redirect', 'nginx']),
    'server',
  ),
  objectsPublicUrl: optional(
    {
      variable: 'PATCHBAY_OBJECTS_PUBLIC_URL',
      meaning:
        'With `redirect`: where everybody can read the prefix of the bucket, such as a CDN in front of it. Whoever knows the hash of a private archive can then read it there as well. Unset: each download gets an address at the endpoint of the bucket that is signed for 5 minutes.',
    },
    url(['http', 'https']),
  ),
  spoolFolder: optional(
    {
      variable: 'PATCHBAY_SPOOL_FOLDER',
      meaning:
        'Folder where uploads wait while they are examined; 64 of the largest archives must fit. Unset: `patchbay-spool-` and the number of the user, in the temporary folder of the system.',
    },
    text,
  ),
  trustOnlineKeyFile: optional(
    {
      variable: 'PATCHBAY_TRUST_ONLINE_KEY_FILE',
      meaning:
        'The private key (Ed25519, PEM) with which the server signs the package index. Unset: the index is not signed.',
    },
    text,
  ),
  trustFolder: optional(
    {
      variable: 'PATCHBAY_TRUST_FOLDER',
      meaning: 'Folder with the metadata that was signed offline: `N.root.json` and `N.targets.json`.',
    },
    text,
  ),
  outboundNetworks: withDefault(
    {
      variable: 'PATCHBAY_OUTBOUND_NETWORKS',
      meaning:
        'Networks inside yours that the server may fetch from when somebody names an address there, such as one with a mirror. Whoever can sign in can then read what is there, on any port: in web views, in the 3D viewer and by importing packages. None: public addresses alone.',
    },
    list(network),
    [],
  ),
}

export interface RegistryConfig {
  readonly toolBrands: readonly string[]
  readonly repositoryName: string
  readonly maxArchiveMb: number
  readonly feedMaxMb: number
  readonly publishesPerMinute: number
  readonly importsPerMinute: number
  readonly searchesPerMinute: number
  readonly auditRetentionDays: number
  readonly archiveDelivery: 'server' | 'redirect' | 'nginx'
  readonly objectsPublicUrl: string | undefined
  readonly spoolFolder: string | undefined
  readonly trustOnlineKeyFile: string | undefined
  readonly trustFolder: string | undefined
}

/** One without the other would be an installation that looks signed and is not. */
export function trustFaults({ trustOnlineKeyFile, trustFolder }: RegistryConfig): Fault[] {
  if ((trustOnlineKeyFile === undefined) === (trustFolder === undefined)) return []
  return trustFolder === undefined
    ? [{ variable: 'PATCHBAY_TRUST_FOLDER', wrong: 'is not set, but PATCHBAY_TRUST_ONLINE_KEY_FILE is' }]
    : [{ variable: 'PATCHBAY_TRUST_ONLINE_KEY_FILE', wrong: 'is not set, but PATCHBAY_TRUST_FOLDER is' }]
}

/** Where nginx finds the objects: the internal location of `deploy/nginx/patchbay.conf`. */
const NGINX_OBJECTS = '/patchbay-objects/'

export function deliveryFaults({
  archiveDelivery,
  objectsPublicUrl,
  objectsUrl,
}: Pick<RegistryConfig, 'archiveDelivery' | 'objectsPublicUrl'> & {
  readonly objectsUrl: string | undefined
}): Fault[] {
  const isBucket = objectsUrl?.startsWith('s3:') === true
  const variable = 'PATCHBAY_ARCHIVE_DELIVERY'
  return [
    ...(archiveDelivery === 'redirect' && !isBucket
      ? [{ variable, wrong: 'is `redirect`, but PATCHBAY_OBJECTS_URL names no bucket' }]
      : []),
    ...(archiveDelivery === 'nginx' && isBucket
      ? [{ variable, wrong: 'is `nginx`, but PATCHBAY_OBJECTS_URL names no folder' }]
      : []),
    ...(archiveDelivery !== 'redirect' && objectsPublicUrl !== undefined
      ? [
          {
            variable: 'PATCHBAY_OBJECTS_PUBLIC_URL',
            wrong: 'is set, but PATCHBAY_ARCHIVE_DELIVERY is not `redirect`',
          },
        ]
      : []),
  ]
}

function deliveryOf({ archiveDelivery, objectsPublicUrl }: RegistryConfig): ArchiveDelivery | undefined {
  if (archiveDelivery === 'server') return undefined
  if (archiveDelivery === 'nginx') return { kind: 'x-accel', prefix: NGINX_OBJECTS }
  return { kind: 'redirect', ...(objectsPublicUrl === undefined ? {} : { publicUrl: objectsPublicUrl }) }
}

export function spoolFolderOf({ spoolFolder }: Pick<RegistryConfig, 'spoolFolder'>): string {
  return resolve(spoolFolder ?? join(tmpdir(), `patchbay-spool-${userInfo().uid}`))
}

export function registrySettingsOf(config: RegistryConfig, publicUrl: string): RegistrySettings {
  const { trustOnlineKeyFile, trustFolder } = config
  const archiveDelivery = deliveryOf(config)
  return {
    publicUrl,
    repositoryName: config.repositoryName,
    brands: config.toolBrands,
    maxArchiveBytes: config.maxArchiveMb * MIB,
    feedMaxBytes: config.feedMaxMb * MIB,
    publishesPerMinute: config.publishesPerMinute,
    importsPerMinute: config.importsPerMinute,
    searchesPerMinute: config.searchesPerMinute,
    auditKeptDays: config.auditRetentionDays,
    spoolFolder: join(spoolFolderOf(config), 'registry'),
    ...(archiveDelivery === undefined ? {} : { archiveDelivery }),
    ...(trustOnlineKeyFile === undefined || trustFolder === undefined
      ? {}
      : { trust: { onlineKey: new Secret(readFileSync(trustOnlineKeyFile, 'utf8')), folder: trustFolder } }),
  }
}
