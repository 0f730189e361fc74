import { Metadata, MetadataKind, Root } from '@tufjs/models'
import {
  encodeDocument,
  headOf,
  type Issue,
  type JsonObject,
  parseObject,
  preparedKeys,
  type SignedFile,
  signPart,
} from './document.ts'
import { describeKey, type PublicKey } from './keys.ts'

export interface KeyHolders {
  readonly keys: readonly PublicKey[]
  /** How many of them have to sign. */
  readonly threshold: number
}

export interface RootRoles {
  readonly root: KeyHolders
  readonly targets: KeyHolders
  /** Signs snapshots and timestamps. */
  readonly online: KeyHolders
}

export interface NewRoot extends Omit<Issue, 'previous' | 'version'> {
  readonly roles: RootRoles
}

export interface RootRotation extends Omit<Issue, 'version'> {
  readonly previous: Uint8Array
  /** The roles that change. */
  readonly roles?: Partial<RootRoles>
}

export const TOP_LEVEL_ROLES = ['root', 'targets', 'snapshot', 'timestamp'] as const
export type TopLevelRole = (typeof TOP_LEVEL_ROLES)[number]
type RoleHolders = Readonly<Record<TopLevelRole, KeyHolders>>

export function createRoot({ roles, ...issue }: NewRoot): SignedFile {
  const { root, targets, online } = roles
  return issueRoot({ root, targets, snapshot: online, timestamp: online }, issue)
}

/** Nothing is returned that a client with the previous root would refuse. */
export function rotateRoot({ roles = {}, ...issue }: RootRotation): SignedFile {
  const previous = readRoot(issue.previous)
  const before = holdersOf(previous.signed)
  const after = {
    root: roles.root ?? before.root,
    targets: roles.targets ?? before.targets,
    snapshot: roles.online ?? before.snapshot,
    timestamp: roles.online ?? before.timestamp,
  }
  return issueRoot(after, issue, previous)
}

export function readRoot(bytes: Uint8Array): Metadata<Root> {
  return Metadata.fromJSON(MetadataKind.Root, parseObject(bytes))
}

export function holdersOf(root: Root): RoleHolders {
  const holders = (role: TopLevelRole): KeyHolders => ({
    threshold: root.roles[role]?.threshold ?? 0,
    keys: (root.roles[role]?.keyIDs ?? []).map((id) => ({ id, hex: root.keys[id]?.keyVal['public'] ?? '' })),
  })
  return {
    root: holders('root'),
    targets: holders('targets'),
    snapshot: holders('snapshot'),
    timestamp: holders('timestamp'),
  }
}

function issueRoot(holders: RoleHolders, issue: Issue, previous?: Metadata<Root>): SignedFile {
  const head = headOf('root', issue)
  const signed = Root.fromJSON({ ...head, ...spellHolders(holders), consistent_snapshot: true })
  const known = [
    ...holders.root.keys,
    ...(previous === undefined ? [] : holdersOf(previous.signed).root.keys),
  ]
  for (const { id } of preparedKeys(issue)) {
    if (!known.some((key) => key.id === id))
      throw new RangeError(`Key ${id} is no root key, neither before nor after`)
  }
  const metadata = signPart(signed, issue)
  for (const judge of previous === undefined ? [metadata] : [previous, metadata]) {
    judge.verifyDelegate('root', metadata)
  }
  return encodeDocument(`${head.version}.root.json`, metadata)
}

function spellHolders(holders: RoleHolders): JsonObject {
  const all = TOP_LEVEL_ROLES.flatMap((role) => checkHolders(role, holders[role]).keys)
  return {
    keys: Object.fromEntries(all.map((key) => [key.id, describeKey(key)])),
    roles: Object.fromEntries(TOP_LEVEL_ROLES.map((role) => [role, spellRole(holders[role])])),
  }
}

export function spellRole({ keys, threshold }: KeyHolders): JsonObject {
  return { keyids: keys.map((key) => key.id), threshold }
}

/** A threshold that nobody can reach would lock everybody out for good. */
export function checkHolders(role: string, holders: KeyHolders): KeyHolders {
  const { keys, threshold } = holders
  if (new Set(keys.map((key) => key.id)).size !== keys.length)
    throw new RangeError(`A key of ${role} is given twice`)
  if (Number.isSafeInteger(threshold) && threshold >= 1 && threshold <= keys.length) return holders
  throw new RangeError(
    `${role} has ${keys.length} keys and needs ${threshold} of them: choose 1 to ${keys.length}`,
  )
}
