import type { RepositoryResource } from '@patchbay/package-format'
import { diagnoseHash } from '@patchbay/package-format/validate'
import { shownAddress } from './address.ts'
import type { Request } from './answer.ts'
import type { ReadProgress } from './body.ts'
import type { CachedFile } from './cache-state.ts'
import type { Context } from './context.ts'
import { RepositoryFailure } from './failure.ts'
import { type ReadFile, readFile } from './read-file.ts'

export interface FetchedFile {
  readonly bytes: Uint8Array
  readonly file: CachedFile
}

/** A file of the cache together with its bytes. */
export type KnownFile = FetchedFile | undefined

export interface ReadCheckedOptions {
  readonly url: URL
  readonly accept: string
  readonly maxBytes: number
  /** What it has to be, if anybody says so. */
  readonly sha256: string | undefined
  readonly known: KnownFile
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined
}

/** A file whose hash is right, from the cache if that has it. */
export async function readChecked(options: ReadCheckedOptions, context: Context): Promise<FetchedFile> {
  const { known, sha256, url } = options
  if (known !== undefined && known.file.sha256 === sha256) return known
  const found = await ask(options, context, false)
  if (found === undefined && known !== undefined) return known
  if (found !== undefined && (sha256 === undefined || found.sha256 === sha256)) return fetched(found, url)
  // A cache on the way may still have what the index named before.
  const fresh = await ask(options, context, true)
  if (fresh === undefined || (sha256 !== undefined && fresh.sha256 !== sha256)) {
    throw await mismatch(fresh?.bytes ?? new Uint8Array(), sha256 ?? '', url)
  }
  return fetched(fresh, url)
}

function ask(options: ReadCheckedOptions, context: Context, isFresh: boolean): Promise<ReadFile | undefined> {
  const { known, url } = options
  // Whoever names another hash has another file: "not changed" would be no answer.
  const isComparable = !isFresh && options.sha256 === undefined && known?.file.url === url.href
  const request: Request = {
    url,
    accept: options.accept,
    maxBytes: options.maxBytes,
    deadlineMs: context.limits.deadlineMs,
    validators: isComparable ? known.file.validators : undefined,
    isFresh,
    signal: options.signal,
  }
  return readFile(request, context.read, options.onProgress)
}

async function mismatch(bytes: Uint8Array, expected: string, url: URL): Promise<RepositoryFailure> {
  const { actual, message } = await diagnoseHash(bytes, expected)
  const advice = `${message}; sha256 is ${actual}, expected is ${expected}; whoever publishes it has to rebuild the index`
  return new RepositoryFailure('hash_mismatch', advice, { url: shownAddress(url) })
}

function fetched({ bytes, sha256, answer }: ReadFile, url: URL): FetchedFile {
  return { bytes, file: { url: url.href, sha256, validators: answer.validators } }
}

/** Without a hash, https is all that protects a file. */
export function refuseUnprotected(
  repository: URL,
  url: URL,
  { sha256 }: Pick<RepositoryResource, 'sha256'>,
): void {
  if (sha256 !== undefined || repository.protocol !== 'https:' || url.protocol !== 'http:') return
  throw new RepositoryFailure(
    'insecure_resource',
    'it has no hash; whoever publishes it must use https or add one',
    {
      url: shownAddress(url),
    },
  )
}
