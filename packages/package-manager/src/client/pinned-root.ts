import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAtomically } from '@patchbay/primitives/files'
import { PRIVATE, readIfThere } from '../file-system.ts'
import { createUniqueId } from '../surroundings.ts'
import { shownAddress } from './address.ts'
import { sha256Of } from './body.ts'
import type { Context } from './context.ts'
import { RepositoryFailure } from './failure.ts'
import { readFile as readRemote } from './read-file.ts'
import type { TrustSource } from './source.ts'

export interface TrustedRoot {
  readonly bytes: Uint8Array
  /** Nobody vouches for it but the server itself, and it is not kept yet. */
  readonly isNew: boolean
  readonly sha256: string
}

const ROOT_BYTES = 512_000

/** The root to begin with: a file that came another way, or the first one that this machine has seen. */
export async function loadRoot(
  trust: TrustSource,
  metadataUrl: URL,
  context: Context,
  signal?: AbortSignal,
): Promise<TrustedRoot> {
  if (trust.root !== 'pin-on-first-use') return trustedRoot(await readGiven(trust.root.path), false)
  const pinned = await readIfThere(pinPath(metadataUrl, context))
  if (pinned !== undefined) return trustedRoot(pinned, false)
  // The first version, not the newest: every client then follows the same chain of roots.
  const file = await readRemote(
    {
      url: new URL('1.root.json', metadataUrl),
      accept: 'application/json',
      maxBytes: ROOT_BYTES,
      deadlineMs: context.limits.deadlineMs,
      signal,
    },
    context.read,
  )
  return trustedRoot(file?.bytes ?? new Uint8Array(), true)
}

/** Only for a root whose signatures have led to a whole state: whatever a login page answered would stay forever. */
export async function keepRoot({ bytes }: TrustedRoot, metadataUrl: URL, context: Context): Promise<void> {
  const path = pinPath(metadataUrl, context)
  if (
    (await createAtomically(path, bytes, { ...PRIVATE, id: createUniqueId() })) ||
    (await readFile(path)).equals(bytes)
  )
    return
  throw new RepositoryFailure('untrusted', 'another root was pinned at the same time; try again', {
    url: shownAddress(metadataUrl),
    trustReason: 'bad_signature',
  })
}

function pinPath(metadataUrl: URL, { trustFolder }: Context): string {
  return join(trustFolder, `${sha256Of(metadataUrl.href).slice(0, 32)}.root.json`)
}

function trustedRoot(bytes: Uint8Array, isNew: boolean): TrustedRoot {
  return { bytes, isNew, sha256: sha256Of(bytes) }
}

async function readGiven(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new RepositoryFailure('untrusted', `the root file ${path} cannot be read; check its path`, {
      cause: error,
    })
  }
}
