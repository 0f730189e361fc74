import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SignedFile, signStaticRepository } from '@patchbay/package-trust/signing'
import { sha256Of } from '../client/body.ts'
import { listFolder } from '../file-system.ts'
import type { BuildTrust } from './build-options.ts'

const DEFAULT_LIFETIME_DAYS = 90
const DAY_MS = 86_400_000
/** Signatures are renewed when a third of their life is left. */
const RENEWAL = 1 / 3

export interface SigningTask {
  readonly trust: BuildTrust
  /** The `tuf` folder. */
  readonly folder: string
  readonly repository: Uint8Array
  readonly now: number
}

/** The metadata to write, in this order. None when what is there still holds. */
export async function signOutput({ trust, folder, repository, now }: SigningTask): Promise<SignedFile[]> {
  const { lifetimeDays = DEFAULT_LIFETIME_DAYS } = trust
  const previous = await readMetadata(folder)
  const isNewRoot = trust.roots.some(({ name }) => !previous.some((file) => file.name === name))
  const { sha256, expires } = readSigned(previous)
  const isSigned = sha256 === sha256Of(repository)
  if (isSigned && !isNewRoot && expires - now > lifetimeDays * DAY_MS * RENEWAL) return []
  const newest = trust.roots.toSorted((a, b) => rootVersion(a) - rootVersion(b)).at(-1)
  if (newest === undefined) throw new TypeError('trust.roots is empty: create a root first')
  const signed = signStaticRepository({
    files: new Map([['repository.json', repository]]),
    root: newest.bytes,
    keys: trust.keys,
    previous: previous.filter(({ name }) => !name.endsWith('root.json')),
    now: new Date(now),
    lifetimeDays,
  })
  return [...trust.roots, ...signed]
}

function rootVersion({ name }: SignedFile): number {
  return Number.parseInt(name, 10)
}

interface SignedPart {
  readonly expires?: string
  readonly meta?: Readonly<Record<string, { readonly version?: number } | undefined>>
  readonly targets?: Readonly<Record<string, { readonly hashes?: { readonly sha256?: string } } | undefined>>
}

/**
 * What the metadata that clients would follow says of repository.json. Whether a build has written it says nothing: one
 * without keys, or one that was killed in between, leaves an index that nobody signed.
 */
function readSigned(files: readonly SignedFile[]): { readonly sha256?: string | undefined; expires: number } {
  const read = (name: string) => partOf(files.find((file) => file.name === name))
  const timestamp = read('timestamp.json')
  const snapshot = read(`${timestamp.meta?.['snapshot.json']?.version}.snapshot.json`)
  const targets = read(`${snapshot.meta?.['targets.json']?.version}.targets.json`)
  return {
    sha256: targets.targets?.['repository.json']?.hashes?.sha256,
    expires: Date.parse(timestamp.expires ?? '') || 0,
  }
}

/** Of half a file too: it is then signed anew. */
function partOf(file: SignedFile | undefined): SignedPart {
  try {
    const text = Buffer.from(file?.bytes ?? []).toString()
    return (JSON.parse(text) as { readonly signed?: SignedPart }).signed ?? {}
  } catch {
    return {}
  }
}

async function readMetadata(folder: string): Promise<SignedFile[]> {
  const names = (await listFolder(folder)).filter((name) => name.endsWith('.json'))
  return Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })))
}
