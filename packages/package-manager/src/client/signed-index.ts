import { join } from 'node:path'
import {
  type ListedFile,
  openTrustedIndex,
  type TrustedIndex,
  type TrustedState,
  TrustFailure,
} from '@patchbay/package-trust/verifying'
import { decodePart, parseRepositoryAddress, shownAddress } from './address.ts'
import type { Context } from './context.ts'
import { RepositoryFailure } from './failure.ts'
import { keepRoot, loadRoot, type TrustedRoot } from './pinned-root.ts'
import { openWithRetries } from './read-file.ts'
import type { TrustSource } from './source.ts'
import { failureOfStatus } from './status.ts'

/** What repository.json has to be, and since and until when. */
export interface SignedState extends TrustedState {
  readonly file: ListedFile
}

/** What repository.json has to be, by the signatures of the repository. */
export class SignedIndex {
  readonly #trust: TrustSource
  readonly #context: Context
  readonly #metadataUrl: URL
  readonly #path: string
  #opened: { readonly index: TrustedIndex; readonly root: TrustedRoot } | undefined

  constructor(trust: TrustSource, context: Context) {
    this.#trust = trust
    this.#context = context
    const given = trust.metadataUrl ?? new URL('tuf/', context.url).href
    this.#metadataUrl = parseRepositoryAddress(given.endsWith('/') ? given : `${given}/`)
    this.#path = trust.targetPath ?? targetPathOf(context.url, this.#metadataUrl)
  }

  async expect(signal?: AbortSignal): Promise<SignedState> {
    try {
      // One that is not kept yet is read anew: what was wrong with it may be mended.
      if (this.#opened?.root.isNew === true) this.#opened = undefined
      const { index } = (this.#opened ??= await this.#open(signal))
      const reached = await index.refresh({ signal })
      const file = await index.find(this.#path, { signal })
      if (file !== undefined) return { ...reached, file }
    } catch (error) {
      throw this.#explain(error)
    }
    throw new RepositoryFailure(
      'untrusted',
      `the signatures do not cover ${this.#path}; check the target path`,
      {
        url: shownAddress(this.#context.url),
        trustReason: 'not_listed',
      },
    )
  }

  /** Keeps a root that is seen for the first time, and returns it once. Called when all that it led to is right. */
  async keepNewRoot(): Promise<TrustedRoot | undefined> {
    const { root, index } = this.#opened ?? {}
    if (root?.isNew !== true || index === undefined) return undefined
    await keepRoot(root, this.#metadataUrl, this.#context)
    this.#opened = { index, root: { ...root, isNew: false } }
    return root
  }

  async #open(signal?: AbortSignal) {
    const root = await loadRoot(this.#trust, this.#metadataUrl, this.#context, signal)
    const index = openTrustedIndex({
      metadataUrl: this.#metadataUrl.href,
      cacheFolder: join(this.#context.cache.folder, 'trust'),
      root: root.bytes,
      fetch: (url, init) => this.#fetch(new URL(url), init.signal),
      now: () => new Date(this.#context.now()),
    })
    return { index, root }
  }

  /** The same rules for metadata as for every other file. */
  async #fetch(url: URL, signal: AbortSignal): Promise<Response> {
    const { limits, read } = this.#context
    try {
      const request = {
        url,
        accept: 'application/json',
        maxBytes: Infinity,
        deadlineMs: limits.deadlineMs,
        signal,
      }
      const answer = await openWithRetries(request, read)
      return new Response(ReadableStream.from(answer.body))
    } catch (error) {
      // What is not there tells the reader that it has the newest root.
      if (error instanceof RepositoryFailure && error.status !== undefined && error.status >= 400) {
        return new Response(null, { status: error.status })
      }
      throw error
    }
  }

  #explain(error: unknown): unknown {
    if (!(error instanceof TrustFailure)) return error
    const details = { url: shownAddress(this.#metadataUrl), cause: error }
    if (error.reason !== 'unreachable') {
      const advice = `${error.message}; ask whoever publishes it before you go on`
      return new RepositoryFailure('untrusted', advice, { ...details, trustReason: error.reason })
    }
    // Somebody who answers "not there" or "not for you" has answered: that is no silence that the cache may fill.
    if (error.status !== undefined) {
      const { key, now } = this.#context.read
      const answer = new Response(null, { status: error.status })
      return failureOfStatus(answer, this.#metadataUrl, key?.origin === this.#metadataUrl.origin, now())
    }
    if (error.cause instanceof RepositoryFailure) return error.cause
    return new RepositoryFailure(
      'unreachable',
      'the signatures cannot be read; check your connection',
      details,
    )
  }
}

function targetPathOf(url: URL, metadataUrl: URL): string {
  const { href } = new URL('..', metadataUrl)
  if (url.href.startsWith(href)) return decodePart(url.pathname.slice(new URL(href).pathname.length), url)
  throw new RepositoryFailure(
    'bad_address',
    'the metadata is not above repository.json; give the target path',
    {
      url: shownAddress(url),
    },
  )
}
