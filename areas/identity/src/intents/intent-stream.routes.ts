import type { ServerResponse } from 'node:http'
import { Problem } from '@patchbay/contracts/core'
import { getIntentStatus } from '@patchbay/contracts/identity'
import { type HttpApp, networkOf, PING, STREAM_HEADERS } from '@patchbay/kernel/http'
import { observeGauge } from '@patchbay/kernel/metrics'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { IdentityDeps } from '../deps.ts'
import type { Caller } from './caller.ts'
import { intentTokenHash } from './intent.ts'
import { finish, IntentStreams, readOutlook } from './intent-streams.socket.ts'
import type { StatusDeps } from './status.store.ts'

/** How many streams there are, in all and for each client address. */
class StreamCaps {
  readonly #most: number
  readonly #mostPerAddress: number
  readonly #byAddress = new Map<string, number>()
  #open = 0

  constructor(most: number, mostPerAddress: number) {
    this.#most = most
    this.#mostPerAddress = mostPerAddress
  }

  get open(): number {
    return this.#open
  }

  /** Whether there is room for one more; if so, it is taken. */
  take(address: string): boolean {
    const here = this.#byAddress.get(address) ?? 0
    if (this.#open >= this.#most || here >= this.#mostPerAddress) return false
    this.#open += 1
    this.#byAddress.set(address, here + 1)
    return true
  }

  give(address: string): void {
    const here = this.#byAddress.get(address) ?? 0
    this.#open -= 1
    if (here <= 1) this.#byAddress.delete(address)
    else this.#byAddress.set(address, here - 1)
  }
}

const RETRY_AFTER_SECONDS = 5
const MOST_PER_NODE = 50_000

export type AnswerStream = (
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  caller: Caller,
) => Promise<FastifyReply>

/** Answers status as server-sent events. */
export function createStreaming(app: HttpApp, deps: IdentityDeps & StatusDeps): AnswerStream {
  const streams = new IntentStreams(deps)
  const caps = new StreamCaps(MOST_PER_NODE, deps.settings.streamsPerAddress)
  observeGauge(deps.metrics, {
    name: 'patchbay_intent_streams',
    help: 'Open event streams of authentication intents on this node, and intents that they watch',
    label: 'of',
    read: () => ({ streams: caps.open, intents: streams.size }),
  })
  app.addHook('preClose', (done) => {
    streams.close()
    done()
  })

  return async (request, reply, token, caller) => {
    const tokenHash = intentTokenHash(token)
    if (tokenHash === undefined) throw new Problem('intent_not_found')
    const address = networkOf(request.ip)
    if (streams.isClosed) throw new Problem('shutting_down')
    if (!caps.take(address)) throw tooMany()
    const response = reply.raw
    const stream = await streams.add({ token, caller, response }, tokenHash)
    if (stream === undefined) {
      caps.give(address)
      throw tooMany()
    }
    let isHere = true
    const leave = () => {
      if (!isHere) return
      isHere = false
      caps.give(address)
      void streams.remove(stream)
    }
    try {
      const outlook = await readOutlook(deps, token, caller)
      if (response.destroyed) throw new Problem('request_timeout')
      if (streams.isClosed) throw new Problem('shutting_down')
      response.once('close', leave)
      begin(reply, response)
      // The factory logs answers when they are ready; this one has only begun.
      deps.log.debug({ requestId: request.id, route: getIntentStatus.path }, 'stream opened')
      if (outlook.opensUntil === undefined) finish(response, outlook)
      else streams.open(stream, outlook.opensUntil)
    } catch (error) {
      leave()
      throw error
    }
    return reply
  }
}

function begin(reply: FastifyReply, response: ServerResponse): void {
  reply.hijack()
  response.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...STREAM_HEADERS })
  // At once, so that proxies and clients see that the stream is there.
  response.write(PING)
}

function tooMany(): Problem {
  return new Problem('rate_limited', {
    detail: 'Too many streams are open; poll instead, or try again later.',
    extensions: { retry_after_seconds: RETRY_AFTER_SECONDS },
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  })
}
