import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  describeRoot,
  type KeyHolders,
  type PublicKey,
  type RootDescription,
  type SignedFile,
} from '@patchbay/package-trust/signing'
import { writeAtomically } from '@patchbay/primitives/files'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { StoredKey } from './key-folder.ts'
import type { KeyRole } from './key-role.ts'

export interface TrustFolder {
  readonly folder: string
  /** The oldest first. */
  readonly roots: readonly SignedFile[]
  /** Of a registry. The newest last. */
  readonly targets: readonly SignedFile[]
}

export function trustFolderOf(keys: string, named: string | undefined): string {
  return named ?? join(keys, 'trust')
}

export async function readTrust(folder: string): Promise<TrustFolder> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const read = async (role: string) =>
    await Promise.all(
      names
        .filter((name) => new RegExp(`^[1-9]\\d{0,8}\\.${role}\\.json$`).test(name))
        .toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
        .map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })),
    )
  return { folder, roots: await read('root'), targets: await read('targets') }
}

export function newestRoot({ folder, roots }: TrustFolder): {
  file: SignedFile
  description: RootDescription
} {
  const file = roots.at(-1)
  if (file === undefined)
    throw new Refusal(
      EXIT.failed,
      'no_root',
      `${folder} has no root.\nRun "patchbay repo trust init" first, or name the folder that holds 1.root.json.`,
    )
  return { file, description: describeFile(file, folder) }
}

export function describeFile({ name, bytes }: SignedFile, folder: string): RootDescription {
  try {
    return describeRoot(bytes)
  } catch {
    throw new Refusal(EXIT.failed, 'bad_root', `${join(folder, name)} is not a root, or is damaged.`)
  }
}

/** Which of the roles in a root a key of ours has. */
export const TUF_ROLES = { root: 'root', targets: 'targets', online: 'timestamp' } as const satisfies Record<
  KeyRole,
  keyof RootDescription['roles']
>

/** The keys of a role that the root names. */
export function keysInUse(
  keys: readonly StoredKey[],
  { roles }: RootDescription,
  role: KeyRole,
): readonly StoredKey[] {
  const { keyIds } = roles[TUF_ROLES[role]]
  return keys.filter((key) => key.role === role && keyIds.includes(key.publicKey.id))
}

/** The public parts of all keys of a role, also of those that are with somebody else now. */
export function publicKeysOf({ bytes }: SignedFile, { roles }: RootDescription, role: KeyRole): PublicKey[] {
  const { signed } = JSON.parse(Buffer.from(bytes).toString('utf8')) as {
    signed: { keys: Record<string, { keyval: { public: string } } | undefined> }
  }
  return roles[TUF_ROLES[role]].keyIds.map((id) => ({ id, hex: signed.keys[id]?.keyval.public ?? '' }))
}

/** The same, where something has to be signed with one of them. */
export function requireInUse(
  keys: readonly StoredKey[],
  root: RootDescription,
  role: KeyRole,
  folder: string,
): readonly StoredKey[] {
  const found = keysInUse(keys, root, role)
  if (found.some(({ isPrivate }) => isPrivate)) return found
  throw new Refusal(
    EXIT.failed,
    'no_key',
    `${folder} has no ${role} key that root ${root.version} names.\nRun "patchbay repo keys show ${folder}" to see which there are.`,
  )
}

/** A root is signed by its own keys. A threshold above their number is for the library to refuse. */
export function requireEnough({ keys: named, threshold }: KeyHolders, keys: readonly StoredKey[]): void {
  const ids = new Set(named.map(({ id }) => id))
  const here = keys.filter(({ isPrivate, publicKey }) => isPrivate && ids.has(publicKey.id)).length
  if (here >= threshold || threshold > ids.size) return
  throw new Refusal(
    EXIT.failed,
    'root_keys_missing',
    `The root has to be signed by ${threshold} of its ${ids.size} root keys; ${here} of them ${here === 1 ? 'is' : 'are'} here.\nName the folders that hold the others with --root-keys. Nothing was written.`,
  )
}

/** What the signing library says about wishes that cannot be met, such as a threshold that nobody can reach. */
export function refusingWishes<T>(sign: () => T): T {
  try {
    return sign()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Refusal(EXIT.usage, 'bad_option', `${error.message}.\nNothing was written.`)
  }
}

/** Whole or not at all, and never in the place of another: a version that was published stays what it was. */
export async function writeSigned(folder: string, { name, bytes }: SignedFile): Promise<void> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, name)
  const isThere = await readFile(path).then(
    () => true,
    () => false,
  )
  if (isThere) throw new Refusal(EXIT.failed, 'already_there', `${path} is there already.`)
  await writeAtomically(path, bytes, { mode: 0o644 })
}
