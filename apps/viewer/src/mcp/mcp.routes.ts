import {
  type FetchLikeMcpHandler,
  hostHeaderValidation,
  originValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { Problem } from '@patchbay/contracts/core'
import { type HttpApp, parseHost } from '@patchbay/kernel/http'
import type { Log } from '@patchbay/kernel/log'
import { Semaphore } from '@patchbay/primitives/async'
import { VERSION } from '../version.ts'
import type { ViewerPort } from '../viewer-port.ts'
import { createViewerTools } from './tools.ts'
import { withKeyOfRequest } from './workspace/open-server.ts'

export interface McpRouteDeps {
  readonly viewer: ViewerPort
  /** As those of every other route. */
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
  /** The installation whose workspaces are meant (`PATCHBAY_SERVER_URL`); the one of this machine unless given. */
  readonly serverUrl?: string | undefined
  readonly createNonce: () => string
  readonly log: Log
}

const MCP_PATH = '/mcp'
/** Code for a sandbox is the longest that anybody sends. */
const MOST_BODY_BYTES = 1024 * 1024
/** Nothing of ours changes: whoever subscribes only holds a connection. */
const MOST_SUBSCRIPTIONS = 16
/** Each may hold a picture of 4 MiB until its caller has read it. */
const MOST_CALLS = 32
const RETRY_AFTER_SECONDS = 5

/**
 * The tools over Streamable HTTP. The library's own check of Host and Origin comes after that of every route: it also judges
 * `GET`, and none of both trusts the other.
 */
export function registerMcp(app: HttpApp, deps: McpRouteDeps): void {
  const { viewer, serverUrl, createNonce, log } = deps
  const onerror = (error: Error) => log.debug({ err: error }, 'rejected an agent message')
  const tools = createViewerTools({
    viewer,
    workspaces: (request) => withKeyOfRequest(request, serverUrl, VERSION),
    version: VERSION,
    now: () => performance.now(),
    createNonce,
    log,
  })
  const handler = createMcpHandler(tools, {
    onerror,
    maxSubscriptions: MOST_SUBSCRIPTIONS,
    maxRequestBodySize: MOST_BODY_BYTES,
  })
  const serve = toNodeHandler(neverStored(handler), { onerror, maxRequestBodySize: MOST_BODY_BYTES })
  const hostIsValid = hostHeaderValidation(deps.allowedHosts.map(nameOf))
  const originIsValid = originValidation(deps.allowedOrigins.map((origin) => new URL(origin).hostname))

  const calls = new Semaphore({ total: MOST_CALLS, refuse: tooManyCalls })

  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: MCP_PATH,
    bodyLimit: MOST_BODY_BYTES,
    // Waiting for a person has a deadline of its own.
    config: { deadlineMs: 0 },
    async handler(request, reply) {
      const response = reply.raw
      const { body } = request
      const permit = calls.acquireNow({ count: Array.isArray(body) ? body.length : 1 })
      // Until the last byte is read: an answer that nobody fetches is in memory as well.
      response.once('close', () => permit[Symbol.dispose]())
      reply.hijack()
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) response.setHeader(name, value)
      if (!hostIsValid(request.raw, response) || !originIsValid(request.raw, response)) return
      const { method = 'POST', url = MCP_PATH } = request.raw
      await serve(Object.assign(request.raw, { method, url }), response, body)
    },
  })
  // Whoever waits would keep a viewer from ending.
  app.addHook('preClose', () => handler.close())
}

function tooManyCalls(): Problem {
  return new Problem('too_many_waiting', {
    detail: `${MOST_CALLS} calls of agents are served at once. Try again in ${RETRY_AFTER_SECONDS} s.`,
    extensions: { retry_after_seconds: RETRY_AFTER_SECONDS },
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  })
}

/** The library lets a stream be stored as long as it is asked for again; pictures of a person are not to be. */
function neverStored({ fetch: answer }: FetchLikeMcpHandler): FetchLikeMcpHandler {
  return {
    async fetch(request, options) {
      const response = await answer(request, options)
      response.headers.set('cache-control', 'no-store, no-transform')
      return response
    },
  }
}

function nameOf(host: string): string {
  return parseHost(host)?.name ?? host
}
