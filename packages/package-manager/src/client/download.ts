import { createHash } from 'node:crypto'
import type { PackageVersion } from '@patchbay/package-format'
import { resourceAddress, shownAddress } from './address.ts'
import type { Answer, Request } from './answer.ts'
import { withinLimit } from './body.ts'
import { refuseUnprotected } from './checked-file.ts'
import type { Context } from './context.ts'
import { RepositoryFailure } from './failure.ts'
import { openWithRetries } from './read-file.ts'
import type { ArchiveDownload, DownloadOptions } from './source.ts'

/** The archive of a version, as a stream that cannot end well unless it is the right one. */
export async function openDownload(
  version: PackageVersion,
  context: Context,
  options: DownloadOptions = {},
): Promise<ArchiveDownload> {
  const { download_url: address, download_sha256: sha256, download_size: size } = version
  if (address === undefined) {
    throw new RepositoryFailure('no_download', `version ${version.version} cannot be installed from here`)
  }
  const url = resourceAddress(context.url, address, 'download')
  const shown = shownAddress(url)
  if (sha256 === undefined && (options.allowUnhashed !== true || context.trust !== undefined)) {
    throw new RepositoryFailure(
      'no_hash',
      'nobody could tell whether it is the right one; ask its author for a hash',
      {
        url: shown,
      },
    )
  }
  refuseUnprotected(context.url, url, sha256 === undefined ? {} : { sha256 })
  const maxBytes = Math.min(size ?? Infinity, context.limits.archiveBytes)
  const request: Request = {
    url,
    accept: 'application/zip, application/octet-stream;q=0.9, */*;q=0.8',
    maxBytes,
    deadlineMs: context.limits.downloadDeadlineMs,
    signal: options.signal,
  }
  const answer = await openWithRetries(request, context.read)
  try {
    refuseSize(answer, size, context, shown)
  } catch (error) {
    await answer.close()
    throw error
  }
  const whole = sha256 === undefined ? answer.body : continuedBody(answer, request, context)
  return {
    url: shown,
    sha256,
    size,
    stream: checkedBody(answer, whole, { sha256, size, maxBytes, shown }, options),
  }
}

function refuseSize({ length }: Answer, size: number | undefined, { limits }: Context, url: string): void {
  if (size !== undefined && size > limits.archiveBytes) {
    throw new RepositoryFailure('too_large', `${size} bytes; at most ${limits.archiveBytes} are read`, {
      url,
    })
  }
  if (size !== undefined && length !== undefined && length !== size) throw wrongSize(length, size, url)
}

interface Expected {
  readonly sha256: string | undefined
  readonly size: number | undefined
  readonly maxBytes: number
  readonly shown: string
}

/**
 * The body, whose rest is asked for when it breaks off. A server that has other bytes by now begins anew, and what was read
 * of the old ones then makes the hash of the whole wrong.
 */
async function* continuedBody(
  first: Answer,
  request: Request,
  { limits, read }: Context,
): AsyncGenerator<Uint8Array> {
  const begun = read.now()
  let answer = first
  let bytes = 0
  for (let count = 0; ; count += 1) {
    try {
      let known = bytes - answer.from
      for await (const chunk of answer.body) {
        const fresh = chunk.subarray(Math.min(known, chunk.byteLength))
        known -= chunk.byteLength - fresh.byteLength
        bytes += fresh.byteLength
        if (fresh.byteLength > 0) yield fresh
      }
      return
    } catch (error) {
      request.signal?.throwIfAborted()
      const mayPass = error instanceof RepositoryFailure && error.isPassing
      if (!mayPass || count === limits.continuations || strongTag(answer) === undefined) throw error
      if (read.now() - begun >= request.deadlineMs) throw error
    } finally {
      await answer.close()
    }
    const deadlineMs = Math.max(1, request.deadlineMs - (read.now() - begun))
    const etag = strongTag(answer) ?? ''
    const continuation = bytes === 0 ? undefined : { from: bytes, etag }
    answer = await openWithRetries({ ...request, deadlineMs, continuation }, read)
  }
}

/** A weak one says that two files mean the same, not that their bytes do. */
function strongTag({ validators }: Answer): string | undefined {
  return validators.etag?.startsWith('"') === true ? validators.etag : undefined
}

async function* checkedBody(
  answer: Answer,
  body: AsyncIterable<Uint8Array>,
  { sha256, size, maxBytes, shown }: Expected,
  { onProgress, signal, isHashedByCaller }: DownloadOptions,
): AsyncGenerator<Uint8Array> {
  const hash = isHashedByCaller === true ? undefined : createHash('sha256')
  let bytes = 0
  try {
    const total = answer.length ?? size
    for await (const chunk of withinLimit({ ...answer, body }, maxBytes, (read) =>
      onProgress?.({ bytes: read.bytes, total }),
    )) {
      hash?.update(chunk)
      bytes += chunk.byteLength
      yield chunk
    }
  } catch (error) {
    signal?.throwIfAborted()
    // The limit was the size that the repository gives: more than that is another file, not a large one.
    const isLonger = error instanceof RepositoryFailure && error.code === 'too_large' && maxBytes === size
    throw isLonger ? wrongSize('more', size, shown) : error
  } finally {
    await answer.close()
  }
  if (size !== undefined && bytes !== size) throw wrongSize(bytes, size, shown)
  const actual = hash?.digest('hex')
  if (actual !== undefined && sha256 !== undefined && actual !== sha256) {
    throw new RepositoryFailure(
      'hash_mismatch',
      `sha256 is ${actual}, expected is ${sha256}; it was replaced after it was listed: ask its author for a new version`,
      { url: shown },
    )
  }
}

function wrongSize(actual: number | 'more', expected: number, url: string): RepositoryFailure {
  const advice = `${actual} bytes instead of ${expected}; it was replaced after it was listed: ask its author for a new version`
  return new RepositoryFailure('size_mismatch', advice, { url })
}
