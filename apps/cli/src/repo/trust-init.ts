import { join, resolve } from 'node:path'
import { createRoot, delegateToBins, type KeyHolders, type SignedFile } from '@patchbay/package-trust/signing'
import { EXIT } from '../account/ending.ts'
import { timeInWords } from '../account/words.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { gatherKeys, type StoredKey } from './key-folder.ts'
import { KEY_ROLES, type KeyRole } from './key-role.ts'
import { readTrust, refusingWishes, requireEnough, trustFolderOf, writeSigned } from './trust-folder.ts'

export interface TrustWords {
  readonly trust?: string
  readonly days: number
  readonly threshold?: number
  readonly rootKeys?: readonly string[]
  readonly json?: boolean
}

const DAY_MS = 86_400_000
/** 256 bins: a hundred thousand packages in parts of some hundred. It can never be changed. */
export const BIN_BITS = 8

/** `patchbay repo trust init`. */
export async function initTrust(
  task: Task,
  keysFolder: string,
  words: TrustWords & { readonly for: 'folder' | 'registry' },
): Promise<Outcome> {
  const folder = trustFolderOf(keysFolder, words.trust)
  const { roots } = await readTrust(folder)
  if (roots.length > 0)
    throw new Refusal(
      EXIT.failed,
      'already_there',
      `${folder} has a root already, and clients may trust it.\nRun "patchbay repo trust rotate ${keysFolder}" to follow it with the next one.`,
    )
  const keys = await gatherKeys(keysFolder, words.rootKeys)
  for (const role of KEY_ROLES) requireKeys(keys, role, keysFolder)
  requireEnough(holdersOf(keys, 'root', words.threshold), keys)
  const times = timesFor(task, words.days)
  const root = refusingWishes(() =>
    createRoot({
      roles: {
        root: holdersOf(keys, 'root', words.threshold),
        targets: holdersOf(keys, 'targets'),
        online: holdersOf(keys, 'online'),
      },
      keys: pemsOf(keys, 'root'),
      ...times,
    }),
  )
  const signed: SignedFile[] = [root]
  if (words.for === 'registry')
    signed.push(
      delegateToBins({
        bits: BIN_BITS,
        holders: holdersOf(keys, 'online'),
        keys: pemsOf(keys, 'targets'),
        ...times,
      }),
    )
  for (const file of signed) await writeSigned(folder, file)
  const online = keys.find(({ role }) => role === 'online')?.file ?? ''
  const next =
    words.for === 'registry'
      ? [
          'Give the server these two, and nothing else of this folder:',
          `  PATCHBAY_TRUST_FOLDER=${resolve(folder)}`,
          `  PATCHBAY_TRUST_ONLINE_KEY_FILE=${resolve(keysFolder, online)}`,
        ]
      : [`Next: build with "--keys ${keysFolder}".`]
  return {
    json: { folder, files: signed.map(({ name }) => name), expires: times.expires.toISOString() },
    text: [
      ...signed.map(({ name }) => `Signed ${join(folder, name)}`),
      `It holds until ${timeInWords(times.expires.toISOString())}; sign the next one before that with "patchbay repo trust rotate ${keysFolder}".`,
      ...next,
      `Give ${join(folder, root.name)} to those who shall check: "patchbay source add URL --trust-root 1.root.json".`,
    ].join('\n'),
  }
}

export function timesFor(
  { surroundings }: Task,
  days: number,
): { readonly now: Date; readonly expires: Date } {
  const now = new Date(surroundings.now())
  return { now, expires: new Date(now.getTime() + days * DAY_MS) }
}

export function holdersOf(keys: readonly StoredKey[], role: KeyRole, threshold = 1): KeyHolders {
  return { keys: keys.filter((key) => key.role === role).map((key) => key.publicKey), threshold }
}

export function pemsOf(keys: readonly StoredKey[], role: KeyRole): string[] {
  return keys.filter((key) => key.role === role && key.isPrivate).map((key) => key.pem)
}

function requireKeys(keys: readonly StoredKey[], role: KeyRole, folder: string): void {
  if (keys.some((key) => key.role === role)) return
  throw new Refusal(
    EXIT.failed,
    'no_key',
    `${folder} has no key for ${role}.\nRun "patchbay repo keys create ${folder}" first.`,
  )
}
