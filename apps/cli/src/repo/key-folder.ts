import { createPrivateKey } from 'node:crypto'
import { chmod, mkdir, open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createSigningKey, type PublicKey, publicKeyOf } from '@patchbay/package-trust/signing'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { KeyRole } from './key-role.ts'

export interface StoredKey {
  readonly file: string
  readonly role: KeyRole
  readonly number: number
  readonly pem: string
  readonly publicKey: PublicKey
  readonly isPrivate: boolean
  /** Others on this machine can read it. */
  readonly isExposed: boolean
}

const NAME = /^(root|targets|online)-([1-9]\d{0,3})\.pem$/

/** The keys of a folder, by role and number. */
export async function readKeys(folder: string): Promise<StoredKey[]> {
  const names = await readdir(folder)
  const keys = await Promise.all(
    names.flatMap((name) => {
      const [, role, number] = NAME.exec(name) ?? []
      return role === undefined ? [] : [readKey(folder, name, role as KeyRole, Number(number))]
    }),
  )
  return keys.toSorted((a, b) => a.role.localeCompare(b.role) || a.number - b.number)
}

/** Those of a folder, and the root keys that other people brought in folders of their own. A copy counts once. */
export async function gatherKeys(folder: string, rootFolders: readonly string[] = []): Promise<StoredKey[]> {
  const keys = await readKeys(folder)
  for (const each of rootFolders) {
    const brought = (await readKeys(each)).filter(({ role }) => role === 'root')
    if (brought.length === 0)
      throw new Refusal(
        EXIT.failed,
        'no_key',
        `${each} has no root key (root-N.pem).\nRun "patchbay repo keys create ${each} --role root" to create one.`,
      )
    for (const key of brought) {
      const at = keys.findIndex(({ role, publicKey }) => role === 'root' && publicKey.id === key.publicKey.id)
      if (at < 0) keys.push(key)
      // The public part may be in the one folder and the key itself in the other.
      else if (key.isPrivate) keys[at] = key
    }
  }
  return keys
}

async function readKey(folder: string, name: string, role: KeyRole, number: number): Promise<StoredKey> {
  const file = join(folder, name)
  const pem = await readFile(file, 'utf8')
  const { mode } = await stat(file)
  try {
    return {
      file: name,
      role,
      number,
      pem,
      publicKey: publicKeyOf(pem),
      isPrivate: isPrivateKey(pem),
      isExposed: process.platform !== 'win32' && (mode & 0o077) !== 0,
    }
  } catch {
    // The reason is not repeated: it could quote what is in the file.
    throw new Refusal(EXIT.failed, 'bad_key', `${file} is no Ed25519 key in PEM.\nMove it away.`)
  }
}

function isPrivateKey(pem: string): boolean {
  try {
    createPrivateKey(pem)
    return true
  } catch {
    return false
  }
}

/** A new private key, in memory alone. */
export function draftKey(role: KeyRole, known: readonly StoredKey[]): StoredKey {
  const number = Math.max(0, ...known.filter((key) => key.role === role).map((key) => key.number)) + 1
  const pem = createSigningKey()
  return {
    file: `${role}-${number}.pem`,
    role,
    number,
    pem,
    publicKey: publicKeyOf(pem),
    isPrivate: true,
    isExposed: false,
  }
}

/** In a file of its own, for this user alone. Nothing is ever overwritten. */
export async function storeKey(folder: string, { file: name, pem }: StoredKey): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  const file = await open(join(folder, name), 'wx', 0o600)
  try {
    await file.writeFile(pem)
    // A key that a root names and a power cut takes away would lock everybody out.
    await file.sync()
  } finally {
    await file.close()
  }
}
