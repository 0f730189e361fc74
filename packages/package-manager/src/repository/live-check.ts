import { createHash } from 'node:crypto'
import { diagnoseHash } from '@patchbay/package-format/validate'
import { resourceAddress } from '../client/address.ts'
import { withinLimit } from '../client/body.ts'
import { RepositoryFailure } from '../client/failure.ts'
import { openAnswer, openWithRetries, type ReadDeps } from '../client/read-file.ts'
import { withRetries } from '../client/retries.ts'
import { conditionalHeaders, type Validators } from '../client/validators.ts'

export type LiveKind = 'repository' | 'packages' | 'resources' | 'manifests' | 'archive' | 'manifest'

/** An address, and what has to be there. */
export interface LiveTarget {
  readonly kind: LiveKind
  /** What it is for: a file name, or identifier and version. */
  readonly subject: string
  readonly url: string
  readonly sha256?: string | undefined
  readonly size?: number | undefined
  readonly maxBytes: number
  readonly deadlineMs: number
}

export interface LiveCheck extends Pick<LiveTarget, 'kind' | 'subject' | 'url'> {
  readonly status: number | undefined
  readonly redirects: number
  readonly contentType: string | undefined
  readonly bytes: number
  readonly sha256: string | undefined
  readonly hasValidator: boolean
  /** Whether the server says "not modified". `undefined` when it gave nothing to ask with. */
  readonly answersNotModified: boolean | undefined
  readonly durationMs: number
  readonly failure?: RepositoryFailure
}

export interface LiveCheckDeps {
  readonly repository: URL
  readonly read: ReadDeps
  readonly signal: AbortSignal | undefined
  onBytes(bytes: number): void
  /** Of the files of the index. Archives are only hashed. */
  onContent?(bytes: Uint8Array): void
}

/** Asks for one file as a client would, and writes down all that came. Only an abort is thrown. */
export async function checkLive(target: LiveTarget, deps: LiveCheckDeps): Promise<LiveCheck> {
  const start = performance.now()
  const { kind, subject, url } = target
  const base = { kind, subject, url, hasValidator: false, answersNotModified: undefined }
  const nothing = { status: undefined, redirects: 0, contentType: undefined, bytes: 0, sha256: undefined }
  try {
    const address = resourceAddress(deps.repository, url, kind)
    const { validators, content, ...seen } = await withRetries(() => readLive(target, address, deps), {
      ...deps.read,
      signal: deps.signal,
    })
    const failure = await compare(target, seen.sha256, seen.bytes, content)
    const hasValidator = Object.keys(conditionalHeaders(validators)).length > 0
    const answersNotModified = hasValidator
      ? await isNotModified(target, address, validators, deps)
      : undefined
    const durationMs = performance.now() - start
    const told = { ...base, ...seen, hasValidator, answersNotModified, durationMs }
    return failure === undefined ? told : { ...told, failure }
  } catch (error) {
    deps.signal?.throwIfAborted()
    if (!(error instanceof RepositoryFailure)) throw error
    return {
      ...base,
      ...nothing,
      status: error.status,
      durationMs: performance.now() - start,
      failure: error,
    }
  }
}

async function readLive(target: LiveTarget, address: URL, deps: LiveCheckDeps) {
  const answer = await openAnswer(requestOf(target, address, deps), deps.read)
  const hash = createHash('sha256')
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of withinLimit(answer, target.maxBytes)) {
      bytes += chunk.length
      hash.update(chunk)
      deps.onBytes(chunk.length)
      if (deps.onContent !== undefined) parts.push(chunk)
    }
  } finally {
    await answer.close()
  }
  const content = deps.onContent === undefined ? undefined : Buffer.concat(parts)
  if (content !== undefined) deps.onContent?.(content)
  const { status, redirects, contentType, validators } = answer
  return { status, redirects, contentType, validators, bytes, content, sha256: hash.digest('hex') }
}

function requestOf(
  { maxBytes, deadlineMs }: LiveTarget,
  url: URL,
  { signal }: LiveCheckDeps,
  validators?: Validators,
) {
  return { url, accept: '*/*', maxBytes, deadlineMs, signal, validators }
}

async function isNotModified(
  target: LiveTarget,
  url: URL,
  validators: Validators,
  deps: LiveCheckDeps,
): Promise<boolean> {
  const answer = await openWithRetries(requestOf(target, url, deps, validators), deps.read)
  await answer.close()
  return answer.isNotModified
}

async function compare(
  { url, sha256: expected, size }: LiveTarget,
  actual: string,
  bytes: number,
  content: Uint8Array | undefined,
): Promise<RepositoryFailure | undefined> {
  if (size !== undefined && size !== bytes) {
    return new RepositoryFailure('size_mismatch', `${bytes} bytes instead of ${size}`, { url })
  }
  if (expected === undefined || expected === actual) return undefined
  const why =
    content === undefined
      ? 'it was replaced after it was listed'
      : (await diagnoseHash(content, expected)).message
  return new RepositoryFailure('hash_mismatch', `${why}; sha256 is ${actual}, expected is ${expected}`, {
    url,
  })
}
