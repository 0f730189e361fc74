import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '@patchbay/kernel/log'
import {
  createRoot,
  createSigningKey,
  delegateToBins,
  publicKeyOf,
  rotateRoot,
  type SignedFile,
} from '@patchbay/package-trust/signing'

const YEAR_MS = 365 * 86_400_000

export interface Ceremony {
  readonly folder: string
  readonly root: SignedFile
  readonly trust: { readonly onlineKey: Secret; readonly folder: string }
  /** A second root that gives the online part to another key, and targets that do the same; not yet in the folder. */
  rotate(): { readonly files: readonly SignedFile[]; readonly onlineKey: string }
}

/** What an operator does once with the CLI: offline keys, the first root, and targets that delegate to bins. */
export async function holdCeremony(parent: string, now: Date, bits = 4): Promise<Ceremony> {
  const folder = join(parent, 'trust')
  await mkdir(folder)
  const [rootKey, targetsKey, onlineKey] = [createSigningKey(), createSigningKey(), createSigningKey()]
  const holders = (pem: string) => ({ keys: [publicKeyOf(pem)], threshold: 1 })
  const dates = { now, expires: new Date(now.getTime() + YEAR_MS) }
  const root = createRoot({
    ...dates,
    roles: { root: holders(rootKey), targets: holders(targetsKey), online: holders(onlineKey) },
    keys: [rootKey],
  })
  const targets = delegateToBins({ ...dates, bits, holders: holders(onlineKey), keys: [targetsKey] })
  await putFiles(folder, [root, targets])
  return {
    folder,
    root,
    trust: { onlineKey: new Secret(onlineKey), folder },
    rotate() {
      const other = createSigningKey()
      const next = rotateRoot({
        ...dates,
        previous: root.bytes,
        roles: { online: holders(other) },
        keys: [rootKey],
      })
      const delegation = { bits, holders: holders(other), keys: [targetsKey] }
      const files = [next, delegateToBins({ ...dates, ...delegation, previous: targets.bytes })]
      return { files, onlineKey: other }
    },
  }
}

export async function putFiles(folder: string, files: readonly SignedFile[]): Promise<void> {
  for (const { name, bytes } of files) await writeFile(join(folder, name), bytes)
}
