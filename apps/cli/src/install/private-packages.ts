import { Problem } from '@patchbay/contracts/core'
import { getPackagePage, type PackagePage } from '@patchbay/contracts/registry'
import type { PackageOffer } from '@patchbay/package-manager'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { Task } from '../command/run-task.ts'
import type { Credential } from '../registry/credential.ts'
import type { Registry } from '../registry/registry.ts'
import { openRepositorySource } from './repository-source.ts'
import type { SourceSettings } from './settings.ts'

export interface KnownHere {
  readonly task: Task
  readonly settings: SourceSettings
  readonly credential: Credential
  readonly registry: Registry
}

/** Somebody who is known to the server may be shown more than the public. */
export async function findPrivate(known: KnownHere, identifier: string): Promise<PackageOffer | undefined> {
  const { task, settings, credential } = known
  const { name, url: server, trustRoot, allowsUnsignedPrivate } = settings
  if (Object.keys(credential).length === 0) return undefined
  const page = await findPage(known, identifier)
  if (page === undefined) return undefined
  if (trustRoot !== undefined && allowsUnsignedPrivate !== true) throw unsigned(name, identifier)
  const feed = await openRepositorySource(
    task,
    {
      name,
      kind: 'repository',
      url: `${server}/registry/feeds/tool/${page.owner}/private/repository.json`,
    },
    credential,
  )
  const offer = await feed.find(identifier)
  return offer === undefined ? undefined : { ...offer, origin: server }
}

async function findPage(
  { registry, settings }: KnownHere,
  identifier: string,
): Promise<PackagePage | undefined> {
  try {
    return (await registry.ask(getPackagePage, { params: { identifier } })).body
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // A session that has ended keeps nobody from what is public; a key that was named on purpose has to hold.
    const isOnPurpose = settings.apiKeyVariable !== undefined || settings.usesLogin === true
    const isNobody = error.code === 'credential_invalid' && !isOnPurpose
    if (error.code === 'package_not_found' || isNobody) return undefined
    throw error
  }
}

/** Whoever stands between could serve an old list of private packages under the name of a public one. */
function unsigned(name: string, identifier: string): Refusal {
  return new Refusal(
    EXIT.failed,
    'unsigned_private',
    `${name} says that ${identifier} is private, and private packages are not signed: with its root pinned, nothing unsigned is taken.\nIf you trust the connection to it, remove the source and add it again with --allow-unsigned-private.`,
    { identifier },
  )
}
