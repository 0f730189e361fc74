import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  type Fault,
  integer,
  type Kind,
  list,
  network,
  optional,
  text,
  withDefault,
} from '@patchbay/kernel/config'
import { Secret } from '@patchbay/kernel/log'
import type { RegistrySettings } from '@patchbay/registry'
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
  spoolFolder: optional(
    {
      variable: 'PATCHBAY_SPOOL_FOLDER',
      meaning:
        'Folder where uploads wait while they are examined; 64 of the largest archives must fit. Unset: `patchbay-spool` in the temporary folder of the system.',
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

export function spoolFolderOf({ spoolFolder }: Pick<RegistryConfig, 'spoolFolder'>): string {
  return resolve(spoolFolder ?? join(tmpdir(), 'patchbay-spool'))
}

export function registrySettingsOf(config: RegistryConfig, publicUrl: string): RegistrySettings {
  const { trustOnlineKeyFile, trustFolder } = config
  return {
    publicUrl,
    repositoryName: config.repositoryName,
    brands: config.toolBrands,
    maxArchiveBytes: config.maxArchiveMb * MIB,
    feedMaxBytes: config.feedMaxMb * MIB,
    publishesPerMinute: config.publishesPerMinute,
    importsPerMinute: config.importsPerMinute,
    searchesPerMinute: config.searchesPerMinute,
    spoolFolder: join(spoolFolderOf(config), 'registry'),
    ...(trustOnlineKeyFile === undefined || trustFolder === undefined
      ? {}
      : { trust: { onlineKey: new Secret(readFileSync(trustOnlineKeyFile, 'utf8')), folder: trustFolder } }),
  }
}
