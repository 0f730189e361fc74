import type { HttpApp } from '@patchbay/kernel/http'
import { Semaphore, SemaphoreRefused } from '@patchbay/primitives/async'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PanelsDeps } from '../deps.ts'
import { BUSY, type Failure, NO_ADDRESS, NO_TICKET, NOT_A_FRAME, TOO_MANY } from './failures.ts'
import { loadPage } from './load-page.io.ts'
import { isForFrame, languagesOf, type PageRequest, parsePageRequest } from './page-request.ts'
import { rewritePage } from './rewrite-page.ts'
import { type Shown, showFailure } from './show-answer.ts'
import type { Ticket } from './ticket.store.ts'
import { ticketAddress } from './ticket.ts'
import { findHolder, isWithinPace, type TicketDeps } from './ticket-holder.store.ts'

/** Without `allow-same-origin` a page has no origin, and without `allow-top-navigation` no way to the page around it. */
export const PAGE_SANDBOX = 'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox'

/** Of every answer. What the site itself has sent stays behind. */
function pageHeaders(workspaceOrigin: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `${PAGE_SANDBOX}; form-action 'none'; frame-ancestors ${workspaceOrigin}`,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'cross-origin',
    'x-robots-tag': 'noindex, nofollow',
  }
}

export interface PageProxyDeps extends TicketDeps, Pick<PanelsDeps, 'outbound'> {
  readonly settings: { readonly publicUrl: string; readonly proxyUrl: string }
}

/** Of one client address, tickets that nobody made included. */
const PACE = { max: 600, windowMs: 60_000 }
const TICKET_PACE = { max: 120, windowMs: 60_000 }
/** Each holds its document several times over. */
const MOST_AT_ONCE = 16
/** Of one person: slow sites of somebody must leave room for those of others. */
const MOST_OF_PERSON = 12
/** Above what a page may take, for the words that say so. */
const DEADLINE_MS = 20_000

/** The pages of the proxy's origin. Nothing else of ours may be served there. */
export function registerPageProxy(app: HttpApp, deps: PageProxyDeps): void {
  const { publicUrl, proxyUrl } = deps.settings
  const workspaceOrigin = new URL(publicUrl).origin
  const headers = pageHeaders(workspaceOrigin)
  const loading = new Semaphore({ total: MOST_AT_ONCE, perKey: MOST_OF_PERSON })

  const send = async (
    reply: FastifyReply,
    shown: Shown,
    at?: { readonly url: string; readonly token: string },
  ) => {
    // Without an address there is nothing to report, and nothing that a link could be relative to.
    const page =
      at === undefined
        ? shown.document
        : await rewritePage(shown.document, {
            url: at.url,
            address: ticketAddress(proxyUrl, at.token),
            workspaceOrigin,
          })
    return reply.code(shown.status).headers(headers).send(page)
  }

  app.get(
    '/page/:token/*',
    { config: { rateLimit: PACE, deadlineMs: DEADLINE_MS } },
    async (request: FastifyRequest, reply) => {
      const asked = parsePageRequest(request.raw.url ?? '')
      const verdict = await judge(deps, request, asked)
      if (asked?.url === undefined) return await send(reply, showFailure(verdict.refusal ?? NO_ADDRESS))
      const { token, url } = asked
      const refuse = (failure: Failure) =>
        send(reply, showFailure(failure, url.href), { url: url.href, token })
      if (verdict.refusal !== undefined) return await refuse(verdict.refusal)
      const { personId, openedHost } = verdict.ticket
      try {
        using _permit = loading.acquireNow({ key: personId })
        const page = await loadPage(deps.outbound, {
          url,
          languages: languagesOf(request.headers['accept-language']),
          openedHost,
          signal: untilGone(reply),
        })
        return await send(reply, page, { url: page.url, token })
      } catch (error) {
        if (error instanceof SemaphoreRefused) return await refuse(BUSY)
        throw error
      }
    },
  )
}

type Verdict =
  | { readonly refusal: Failure; readonly ticket?: never }
  | { readonly refusal?: never; readonly ticket: Ticket }

/** For whom something is fetched, or why nothing is. */
async function judge(
  deps: PageProxyDeps,
  request: FastifyRequest,
  asked: PageRequest | undefined,
): Promise<Verdict> {
  if (!isForFrame(request.headers['sec-fetch-dest']?.toString())) return { refusal: NOT_A_FRAME }
  const holder = asked && (await findHolder(deps, asked.token, 'web', request.ip))
  if (asked === undefined || holder === undefined) return { refusal: NO_TICKET }
  if (asked.url === undefined) return { refusal: NO_ADDRESS }
  const isInTime = await isWithinPace(deps, asked.token, TICKET_PACE)
  return isInTime ? { ticket: holder.ticket } : { refusal: TOO_MANY }
}

/** A person who goes on to another page does not wait for this one, so neither does the node. */
function untilGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return gone.signal
}
