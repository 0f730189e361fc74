import { mediaTypeOf, readJson } from '../http/answer-body.ts'
import { networkFailure, PassingFailure } from '../http/failure.ts'
import { requireOk, sendRequest } from '../http/request.ts'
import { LoginError } from '../login-error.ts'
import { EventStreamParser, EventTooLarge, type StreamEvent } from '../sse/event-stream.ts'
import { sessionTokenOf, statusOf } from './status.ts'
import { statusRequest, type Watch } from './watch.ts'

/** How a stream ended that did not fail. */
export type StreamEnd =
  | { readonly kind: 'authenticated'; readonly sessionToken: string }
  /** Without a word about the login: the node was stopped, or somebody in between had enough. */
  | { readonly kind: 'ended' }
  /** There is no stream to be had here. */
  | { readonly kind: 'unavailable' }

const NOT_ACCEPTABLE = 406

/** Reads one stream to its end. `onSign` is called for all that arrives, comments too. */
export async function readEvents(watch: Watch, signal: AbortSignal, onSign: () => void): Promise<StreamEnd> {
  try {
    const request = statusRequest(watch.pending)
    const headers = { ...request.headers, accept: 'text/event-stream' }
    const response = await sendRequest({ ...request, headers }, watch.caller, signal)
    if (response.status === NOT_ACCEPTABLE) return await unavailable(response)
    await requireOk(response, watch.surroundings)
    const type = mediaTypeOf(response)
    if (type === 'application/json') {
      const status = statusOf(await readJson(response))
      return status.state === 'pending'
        ? { kind: 'unavailable' }
        : { kind: 'authenticated', sessionToken: status.sessionToken }
    }
    if (type !== 'text/event-stream' || response.body === null) return await unavailable(response)
    return await readBody(response.body, onSign)
  } catch (error) {
    if (error instanceof LoginError || error instanceof PassingFailure) throw error
    if (error instanceof EventTooLarge) throw new LoginError('unexpected', { detail: error.message })
    throw networkFailure(error, false)
  }
}

async function unavailable(response: Response): Promise<StreamEnd> {
  await response.body?.cancel()
  return { kind: 'unavailable' }
}

async function readBody(body: ReadableStream<Uint8Array>, onSign: () => void): Promise<StreamEnd> {
  const parser = new EventStreamParser()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return { kind: 'ended' }
      onSign()
      for (const event of parser.push(value)) {
        const sessionToken = tokenIn(event)
        if (sessionToken !== undefined) return { kind: 'authenticated', sessionToken }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Events of other names may come with later servers. */
function tokenIn({ name, data }: StreamEvent): string | undefined {
  if (name === 'timeout') throw new LoginError('expired')
  if (name === 'declined') throw new LoginError('declined')
  return name === 'authenticated' ? sessionTokenOf(memberOf(data, 'session_token')) : undefined
}

function memberOf(json: string, name: string): unknown {
  try {
    return (Object(JSON.parse(json)) as Record<string, unknown>)[name]
  } catch {
    return undefined
  }
}
