import {
  type CallInput,
  type CallResult,
  call,
  type EndpointSpec,
  Problem,
  UnexpectedResponse,
} from '@patchbay/contracts/core'
import { getNextPaste, getPasteFile, getViewerStatus, postShowWidget } from '@patchbay/contracts/viewer'
import type { ViewerPort } from '../viewer-port.ts'
import { believable } from './believable.ts'

/** Nothing answered: it is not there, or not anymore. */
export class ViewerGone extends Error {
  override readonly name = 'ViewerGone'
  /** Nobody listens at all, as distinct from somebody who does not answer. */
  readonly isNobody: boolean

  constructor(isNobody: boolean, options: ErrorOptions) {
    super('the viewer does not answer', options)
    this.isNobody = isNobody
  }
}

const ANSWER_WITHIN_MS = 10_000
/** The viewer itself waits for a page that has to come back. */
const SHOW_WITHIN_MS = 20_000
/** A list of pastes, or a picture that is too large for a model anyway. */
const MOST_BYTES = 16 * 1024 * 1024

/** A viewer that another process runs, by its HTTP endpoints. */
export function remoteViewer(baseUrl: string): ViewerPort {
  const ask = <Spec extends EndpointSpec>(
    endpoint: Spec,
    input: CallInput<Spec>,
    signal: AbortSignal,
    withinMs = ANSWER_WITHIN_MS,
  ): Promise<CallResult<Spec>> =>
    reach(signal, withinMs, async (ended) =>
      believable(endpoint, await call(endpoint, input, { baseUrl, fetch: bounded, signal: ended })),
    )
  return {
    status: async (signal) => (await ask(getViewerStatus, {}, signal)).body,
    async show(widget, title, signal) {
      const body = title === undefined ? { widget } : { widget, title }
      return (await ask(postShowWidget, { body }, signal, SHOW_WITHIN_MS)).body
    },
    async nextPaste({ after, waitMs, namingMs }, signal) {
      const query = {
        ...(after === undefined ? {} : { after }),
        wait_seconds: Math.ceil(waitMs / 1000),
        naming_seconds: Math.ceil(namingMs / 1000),
      }
      const answer = await ask(getNextPaste, { query }, signal, waitMs + namingMs + ANSWER_WITHIN_MS)
      return answer.status === 200 ? answer.body : undefined
    },
    // Not from the disk, although it is the same: a path that somebody else says could be any file of this person.
    readPaste: (file, signal) =>
      reach(signal, ANSWER_WITHIN_MS, async (ended) => {
        let bytes = new Uint8Array()
        const take: typeof fetch = async (input, init) => {
          const response = await bounded(input, init)
          bytes = new Uint8Array(await response.clone().arrayBuffer())
          return response
        }
        await call(getPasteFile, { params: { file } }, { baseUrl, fetch: take, signal: ended })
        return bytes
      }),
  }
}

async function reach<T>(
  signal: AbortSignal,
  withinMs: number,
  work: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await work(AbortSignal.any([signal, AbortSignal.timeout(withinMs)]))
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Problem || error instanceof UnexpectedResponse || error instanceof SyntaxError)
      throw error
    throw new ViewerGone(codeOf(error) === 'ECONNREFUSED', { cause: error })
  }
}

function codeOf(error: unknown): unknown {
  const { cause } = Object(error) as { readonly cause?: { readonly code?: unknown } }
  return cause?.code
}

/** Follows no redirect and reads no more than a viewer would send: what listens there may be something else. */
const bounded: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' })
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MOST_BYTES) throw new UnexpectedResponse(response.status, 'the answer is too large')
    chunks.push(chunk)
  }
  const { status, statusText, headers } = response
  return new Response(size === 0 ? null : new Blob(chunks), {
    status,
    statusText,
    headers,
  })
}
