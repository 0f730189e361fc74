import type { Site } from '../identity-pages/site.ts'
import { type Account, makeAccount } from '../installation/accounts.ts'
import type { ArchiveWish } from './archives.ts'
import { iconOf } from './icon.ts'
import { delist, makeOrganization, publish, publishAll } from './publishing.ts'

const BLINKY: ArchiveWish = {
  identifier: 'com.example.blinky',
  icon: iconOf([28, 78, 140], [255, 196, 61]),
  fields: {
    name: 'Blinky',
    description: 'Lets the lights of a board blink while you route it',
    description_full:
      'Blinky shows the nets that you are working on as lights that blink at a pace of your choice.\n\nIt needs no settings. Choose a net, press B, and watch.',
    maintainer: { name: 'Analytical Labs', contact: { email: 'labs@example.com' } },
    resources: {
      homepage: 'https://example.com/blinky',
      'issue tracker': 'https://example.com/blinky/issues',
      manual: 'file:///usr/share/doc/blinky/manual.pdf',
    },
    tags: ['led', 'routing', 'highlight'],
  },
}

const VERSIONS: readonly ArchiveWish[] = [
  { ...BLINKY, version: '1.4.2', versionFields: { kicad_version: '6.0', kicad_version_max: '7.0' } },
  { ...BLINKY, version: '2.0.0', versionFields: { platforms: ['linux', 'macos'] } },
  { ...BLINKY, version: '2.1.0', versionFields: { kicad_version: '9.0' } },
  { ...BLINKY, version: '3.0.0', versionFields: { status: 'testing', kicad_version: '9.0' } },
]

const OTHERS: readonly ArchiveWish[] = [
  {
    identifier: 'com.example.midnight',
    version: '2.3.1',
    icon: iconOf([24, 24, 38], [130, 170, 255]),
    fields: {
      name: 'Midnight',
      type: 'colortheme',
      description: 'A dark theme that keeps copper and silkscreen apart',
      tags: ['dark'],
    },
    versionFields: { kicad_version: '7.0' },
  },
  {
    identifier: 'com.example.connectors',
    version: '2026.4',
    fields: {
      name: 'Board-to-board connectors',
      type: 'library',
      description:
        'Footprints and 3D models of 340 mezzanine and card-edge connectors, measured on real parts',
      tags: ['connector', 'footprint'],
    },
    versionFields: { kicad_version: '8.0' },
  },
  {
    identifier: 'com.example.panelizer',
    version: '0.9.0',
    icon: iconOf([54, 94, 50], [235, 235, 220]),
    fields: {
      name: 'Panelizer',
      description: 'Places copies of a board into a panel with rails, mouse bites and fiducials',
      tags: ['panel'],
    },
    versionFields: {
      status: 'testing',
      kicad_version: '8.0',
      platforms: ['linux', 'macos'],
      runtime: 'ipc',
    },
  },
  {
    identifier: 'com.example.oldtimer',
    version: '1.0.0',
    fields: {
      name: 'Netlist bridge',
      description: 'Reads netlists of tools that are gone',
      tags: ['netlist'],
    },
    versionFields: { status: 'deprecated', kicad_version: '5.1', kicad_version_max: '6.0' },
  },
]

export interface Furnished {
  readonly ada: Account
  /** Only a member of the organization that ada owns. */
  readonly grace: Account
  readonly organization: string
}

/** A registry as it looks after some months. */
export async function furnish(site: Site, handle = 'ada'): Promise<Furnished> {
  const ada = await makeAccount(site, handle, { name: 'Ada Lovelace' })
  const grace = await makeAccount(site, `${handle}-friend`, { name: 'Grace Hopper' })
  const organization = `${handle}-labs`
  await makeOrganization(site, organization, [
    { account: ada, role: 'owner' },
    { account: grace, role: 'member' },
  ])
  const secret = named('com.example.secret', 'Unreleased board checks')
  await publishAll([
    ...[...OTHERS, ...VERSIONS, named('com.example.retired', 'Retired helper')].map(
      (wish) => () => publish(site, ada, wish),
    ),
    () => publish(site, ada, secret, { visibility: 'private' }),
    () => publish(site, ada, named('com.example.labs', 'Lab bench'), { owner: organization }),
  ])
  await delist(site, ada, 'com.example.retired')
  return { ada, grace, organization }
}

const registries = new WeakMap<Site, Promise<Furnished>>()

/** The same once for each installation: files that share one, share its registry. */
export async function sharedRegistry(site: Site): Promise<Furnished> {
  const known = registries.get(site) ?? furnish(site)
  registries.set(site, known)
  return await known
}

function named(identifier: string, name: string): ArchiveWish {
  return { identifier, fields: { name } }
}
