import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Fetcher } from 'tuf-js'
import { DownloadHTTPError } from 'tuf-js/dist/error.js'
import { TrustFailure } from './trust-failure.ts'

/** `fetch` fits. */
export type Fetch = (url: string, init: { readonly signal: AbortSignal }) => Promise<Response>

const NOT_FOUND = 404

/** Reads what tuf-js asks for, within limits, from http, https or a folder. */
export class MetadataFetcher implements Fetcher {
  readonly #fetch: Fetch
  readonly #maxBytes: number
  #signal = AbortSignal.abort()
  #failure: TrustFailure | undefined

  constructor(fetch: Fetch, maxBytes: number) {
    this.#fetch = fetch
    this.#maxBytes = maxBytes
  }

  /** Everything that is read from now on ends with the signal. */
  begin(signal: AbortSignal): void {
    this.#signal = signal
    this.#failure = undefined
  }

  /** Why the last download failed: tuf-js tells only its text. */
  get failure(): TrustFailure | undefined {
    return this.#failure
  }

  async downloadBytes(url: string, maxLength: number): Promise<Buffer> {
    this.#failure = undefined
    try {
      return await readUpTo(Math.min(maxLength, this.#maxBytes), await this.#open(url), url)
    } catch (error) {
      this.#failure = error instanceof TrustFailure ? error : unreachable(url, error)
      // tuf-js has to see this one: a root that is not there ends the chain of roots.
      throw error instanceof DownloadHTTPError ? error : this.#failure
    }
  }

  downloadFile(): Promise<never> {
    return Promise.reject(new Error('Targets are not fetched through the index'))
  }

  async #open(url: string): Promise<AsyncIterable<Uint8Array>> {
    this.#signal.throwIfAborted()
    if (new URL(url).protocol === 'file:') return openFile(fileURLToPath(url), this.#signal)
    const response = await this.#fetch(url, { signal: this.#signal })
    if (response.ok && response.body !== null) return response.body
    await response.body?.cancel()
    throw new DownloadHTTPError(`The server answered ${response.status}`, response.status)
  }
}

/** Leaving the loop closes the connection; without that a server could go on sending. */
async function readUpTo(limit: number, source: AsyncIterable<Uint8Array>, url: string): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    length += chunk.length
    if (length > limit) throw new TrustFailure('too_large', `${url} is larger than ${limit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A pipe or a device would never end, or never begin. */
async function openFile(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const file = await stat(path).catch(() => undefined)
  if (file?.isFile() !== true) throw new DownloadHTTPError(`There is no file ${path}`, NOT_FOUND)
  return createReadStream(path, { signal })
}

function unreachable(url: string, cause: unknown): TrustFailure {
  const why = cause instanceof Error ? cause.message : String(cause)
  const status = cause instanceof DownloadHTTPError ? cause.statusCode : undefined
  return new TrustFailure('unreachable', `${url} could not be read: ${why}`, { cause, status })
}
