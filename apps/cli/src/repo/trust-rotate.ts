import { join } from 'node:path'
import {
  delegateToBins,
  type KeyHolders,
  type RootDescription,
  type RootRoles,
  rotateRoot,
  type SignedFile,
} from '@patchbay/package-trust/signing'
import { EXIT } from '../account/ending.ts'
import { timeInWords } from '../account/words.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { draftKey, gatherKeys, readKeys, type StoredKey, storeKey } from './key-folder.ts'
import { KEY_ROLES, type KeyRole } from './key-role.ts'
import {
  keysInUse,
  newestRoot,
  publicKeysOf,
  readTrust,
  refusingWishes,
  requireEnough,
  requireInUse,
  TUF_ROLES,
  trustFolderOf,
  writeSigned,
} from './trust-folder.ts'
import { BIN_BITS, pemsOf, type TrustWords, timesFor } from './trust-init.ts'

export interface RotateWords extends TrustWords {
  readonly replace?: readonly KeyRole[]
  readonly add?: readonly KeyRole[]
}

/** `patchbay repo trust rotate`: the next root, signed by the old root keys and the new ones. */
export async function rotateTrust(task: Task, keysFolder: string, words: RotateWords): Promise<Outcome> {
  const trust = await readTrust(trustFolderOf(keysFolder, words.trust))
  const { file: previous, description } = newestRoot(trust)
  const keys = await gatherKeys(keysFolder, words.rootKeys)
  requireSigners(keys, description, [keysFolder, ...(words.rootKeys ?? [])])
  const roles = new Set([...(words.replace ?? []), ...(words.add ?? [])])
  // Numbered by the folder that it goes into, whatever the others have.
  const own = await readKeys(keysFolder)
  const created = [...roles].map((role) => draftKey(role, own))
  const after = rolesAfter(previous, description, created, words)
  const before = {
    keys: publicKeysOf(previous, description, 'root'),
    threshold: description.roles.root.threshold,
  }
  requireEnough(after.root ?? before, [...keys, ...created])
  const times = timesFor(task, words.days)
  const root = refusingWishes(() =>
    rotateRoot({
      previous: previous.bytes,
      roles: after,
      keys: [...pemsOf(keysInUse(keys, description, 'root'), 'root'), ...pemsOf(created, 'root')],
      ...times,
    }),
  )
  const signed = [root, ...nextTargets(trust.targets, [...keys, ...created], root, keysFolder, times)]
  // Before anything names them: a root with a key that nobody has would be the last one.
  for (const key of created) await storeKey(keysFolder, key)
  for (const file of signed) await writeSigned(trust.folder, file)
  return {
    json: {
      folder: trust.folder,
      files: signed.map(({ name }) => name),
      created: created.map(({ file }) => file),
      expires: times.expires.toISOString(),
    },
    text: [
      ...created.map(
        ({ file, role }) =>
          `Created ${join(keysFolder, file)}${words.add?.includes(role) === true ? '' : `; the ${role} keys before it count no more`}.`,
      ),
      ...signed.map(({ name }) => `Signed ${join(trust.folder, name)}`),
      `It holds until ${timeInWords(times.expires.toISOString())}.`,
      trust.targets.length === 0
        ? 'Build the repository again and publish it: clients follow by themselves.'
        : 'Put the new files into PATCHBAY_TRUST_FOLDER of the server; clients follow by themselves.',
      ...created
        .filter(({ role }) => role === 'online' && trust.targets.length > 0)
        .map(
          ({ file }) =>
            `Set PATCHBAY_TRUST_ONLINE_KEY_FILE to ${join(keysFolder, file)} and start the server again.`,
        ),
    ].join('\n'),
  }
}

/** Replaced: the new key alone. Added: beside those that count. A threshold is that of the root keys. */
function rolesAfter(
  previous: SignedFile,
  description: RootDescription,
  created: readonly StoredKey[],
  { add = [], threshold }: RotateWords,
): Partial<RootRoles> {
  const changes: Partial<Record<KeyRole, KeyHolders>> = {}
  for (const role of KEY_ROLES) {
    const fresh = created.filter((key) => key.role === role)
    const isKept = add.includes(role) || (role === 'root' && fresh.length === 0)
    const isChanged = fresh.length > 0 || (role === 'root' && threshold !== undefined)
    const { threshold: before } = description.roles[TUF_ROLES[role]]
    if (isChanged)
      changes[role] = {
        // From the root, not from the folder: a key that its holder did not bring today still counts.
        keys: [
          ...(isKept ? publicKeysOf(previous, description, role) : []),
          ...fresh.map(({ publicKey }) => publicKey),
        ],
        threshold: role === 'root' && threshold !== undefined ? threshold : isKept ? before : 1,
      }
  }
  return changes
}

/** A registry's targets let the online key sign, so they follow every root. */
function nextTargets(
  before: readonly SignedFile[],
  keys: readonly StoredKey[],
  root: SignedFile,
  keysFolder: string,
  times: { readonly now: Date; readonly expires: Date },
): SignedFile[] {
  const previous = before.at(-1)
  if (previous === undefined) return []
  const { description } = newestRoot({ folder: '', roots: [root], targets: [] })
  return [
    delegateToBins({
      bits: BIN_BITS,
      holders: { keys: publicKeysOf(root, description, 'online'), threshold: 1 },
      keys: pemsOf(requireInUse(keys, description, 'targets', keysFolder), 'targets'),
      previous: previous.bytes,
      ...times,
    }),
  ]
}

function requireSigners(
  keys: readonly StoredKey[],
  description: RootDescription,
  folders: readonly string[],
): void {
  const { threshold } = description.roles.root
  const have = pemsOf(keysInUse(keys, description, 'root'), 'root').length
  if (have >= threshold) return
  throw new Refusal(
    EXIT.failed,
    'root_keys_missing',
    `The next root has to be signed by ${threshold} of the keys of root ${description.version}; ${folders.join(' and ')} ${folders.length === 1 ? 'has' : 'have'} ${have}.\nBring the root keys (root-N.pem) into the folder for the ceremony, or name the folders that hold them with --root-keys.`,
  )
}
