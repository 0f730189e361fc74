import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Outcome } from '../command/run-task.ts'
import { tableOf } from '../terminal/table.ts'
import { draftKey, readKeys, type StoredKey, storeKey } from './key-folder.ts'
import { KEY_ROLES, type KeyRole } from './key-role.ts'
import { keysInUse, newestRoot, readTrust, trustFolderOf } from './trust-folder.ts'

/** `patchbay repo keys create`. */
export async function createKeys(folder: string, role: KeyRole | undefined): Promise<Outcome> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const known = await readKeys(folder)
  const missing = KEY_ROLES.filter((each) => !known.some((key) => key.role === each))
  const created: StoredKey[] = []
  for (const each of role === undefined ? missing : [role]) {
    const key = draftKey(each, known)
    await storeKey(folder, key)
    created.push(key)
  }
  const lines =
    created.length === 0
      ? [`${folder} has a key for every role already; --role makes one more.`]
      : [
          'Created, readable by you alone:',
          tableOf(
            created.map((key) => [join(folder, key.file), `key id ${key.publicKey.id.slice(0, 16)}…`]),
            '  ',
          ),
          'Keep root and targets keys offline, and make a copy of them: without them nobody can replace a stolen key.',
          ...(role === undefined
            ? [`Next: "patchbay repo trust init ${folder}" (with --for registry for a Patchbay server).`]
            : []),
        ]
  return { json: { folder: resolve(folder), created: created.map(present) }, text: lines.join('\n') }
}

/** `patchbay repo keys show`. */
export async function showKeys(folder: string, named: string | undefined): Promise<Outcome> {
  const keys = await readKeys(folder)
  const trust = await readTrust(trustFolderOf(folder, named))
  const root = trust.roots.length === 0 ? undefined : newestRoot(trust).description
  const isNamed = (key: StoredKey) => root !== undefined && keysInUse([key], root, key.role).length === 1
  const word = (key: StoredKey) => {
    if (root === undefined) return 'not in use yet: there is no root'
    return isNamed(key) ? 'in use' : 'not in use: no root names it, or not anymore'
  }
  const exposed = keys.filter(({ isExposed, isPrivate }) => isExposed && isPrivate)
  return {
    json: {
      folder: resolve(folder),
      keys: keys.map((key) => ({ ...present(key), is_in_use: isNamed(key), is_exposed: key.isExposed })),
    },
    text: [
      keys.length === 0
        ? `${folder} has no keys.\nRun "patchbay repo keys create ${folder}" to create them.`
        : tableOf(
            keys.map((key) => [
              key.file,
              key.publicKey.id.slice(0, 16),
              key.isPrivate ? 'private' : 'public part only',
              word(key),
            ]),
          ),
      ...exposed.map(
        ({ file }) =>
          `Warning: ${join(folder, file)} can be read by others. Run "chmod 600 ${join(folder, file)}".`,
      ),
    ].join('\n'),
  }
}

function present({ file, role, publicKey, isPrivate }: StoredKey): object {
  return { file, role, key_id: publicKey.id, public_key: publicKey.hex, is_private: isPrivate }
}
