import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readSigned } from './signed-document.ts'
import { type KnownVersions, type OfflineFile, type OfflineFiles, versionsOf } from './trust-folder.ts'

export interface TrustFolder {
  /** What is newer than known, or `undefined` when nothing is. Fails when the folder does not answer in time. */
  readNew(known: KnownVersions): Promise<OfflineFiles | undefined>
}

const LONGEST_MS = 2_000
const MOST_ROOTS = 100

/** Apart from the lock of the index: a folder on a network that hangs must not stop every publish. */
export function openTrustFolder(
  folder: string,
  longestMs = LONGEST_MS,
  list: (folder: string) => Promise<string[]> = (path) => readdir(path),
): TrustFolder {
  // A second look at a folder that hangs would take one more thread of the few that there are.
  let looking: Promise<OfflineFiles | undefined> | undefined
  return {
    async readNew(known) {
      looking ??= readFiles(folder, known, list).finally(() => {
        looking = undefined
      })
      const ending = new AbortController()
      const tooLong = sleep(longestMs, undefined, { signal: ending.signal }).then(() => {
        throw new Error(`the trust folder did not answer within ${longestMs} ms`)
      })
      try {
        return await Promise.race([looking, tooLong])
      } finally {
        ending.abort()
        tooLong.catch(() => undefined)
      }
    },
  }
}

async function readFiles(
  folder: string,
  known: KnownVersions,
  list: (folder: string) => Promise<string[]>,
): Promise<OfflineFiles | undefined> {
  const names = await list(folder)
  const read = async (version: number, role: string): Promise<OfflineFile> => {
    const file = `${version}.${role}.json`
    return { version, file, body: await readFile(join(folder, file)) }
  }
  const newRoots = versionsOf(names, 'root').filter((version) => version > known.root)
  const newTargets = versionsOf(names, 'targets').findLast((version) => version > known.targets)
  if (newRoots.length === 0 && newTargets === undefined) return undefined
  const roots: OfflineFile[] = []
  for (const version of newRoots.slice(0, MOST_ROOTS)) roots.push(await read(version, 'root'))
  return { roots, targets: newTargets === undefined ? undefined : await read(newTargets, 'targets') }
}

/** The newest root and targets of a folder, and when clients stop believing them. */
export async function readTrustExpiry(
  folder: string,
): Promise<readonly { readonly file: string; readonly expires: Date }[]> {
  const names = await readdir(folder)
  const read = async (role: 'root' | 'targets') => {
    const version = versionsOf(names, role).at(-1)
    if (version === undefined) throw new Error(`${folder} has no ${role}`)
    const file = `${version}.${role}.json`
    const { expires } = readSigned(await readFile(join(folder, file)), role).signed
    if (typeof expires !== 'string') throw new TypeError(`${file} does not say when it expires`)
    return { file, expires: new Date(expires) }
  }
  return await Promise.all([read('root'), read('targets')])
}
