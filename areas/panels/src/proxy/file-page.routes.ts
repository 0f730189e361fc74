import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { HttpApp } from '@patchbay/kernel/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { mayReadFiles } from '../access/admission.store.ts'
import { type Failure, NO_FILE, NO_TICKET, NOT_A_FRAME, TOO_MANY } from './failures.ts'
import { PAGE_SANDBOX } from './page-proxy.routes.ts'
import { showFailure } from './show-answer.ts'
import { isToken, ticketAddress } from './ticket.ts'
import { findHolder, isWithinPace, type TicketDeps } from './ticket-holder.store.ts'

/**
 * Handed in by the composition root: this area knows nothing of files. Answers with a file, or with `undefined` where there
 * is none of this path.
 */
export type SendFile = (
  request: FastifyRequest,
  reply: FastifyReply,
  at: WorkspaceRef,
  path: string,
  headers: Readonly<Record<string, string>>,
) => Promise<FastifyReply | undefined>

export interface FilePagesDeps extends TicketDeps {
  readonly sendFile: SendFile
  readonly settings: { readonly publicUrl: string; readonly proxyUrl: string }
}

/** Of one client address, tickets that nobody made included. A page has pictures, styles and scripts. */
const PACE = { max: 6_000, windowMs: 60_000 }
const TICKET_PACE = { max: 3_000, windowMs: 60_000 }
const PATH = /^\/files\/([^/?]*)\/([^?]*)/
const INDEX = 'index.html'

/** The files of a workspace as pages, for its web views, on the origin where nothing of ours is. */
export function registerFilePages(app: HttpApp, deps: FilePagesDeps): void {
  const { publicUrl, proxyUrl } = deps.settings
  const workspaceOrigin = new URL(publicUrl).origin

  app.get(
    '/files/:token/*',
    { config: { rateLimit: PACE, deadlineMs: 0 } },
    async (request: FastifyRequest, reply) => {
      const [, token = '', encoded = ''] = PATH.exec(request.raw.url ?? '') ?? []
      const own = isToken(token) ? ticketAddress(proxyUrl, token, 'files') : "'none'"
      const headers = fileHeaders(workspaceOrigin, own)
      const refuse = (failure: Failure) => {
        const { status, document } = showFailure(failure)
        return reply
          .code(status)
          .headers({ ...headers, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
          .send(document)
      }
      // In a tab of its own it would look like a page of ours.
      if (request.headers['sec-fetch-dest'] === 'document') return refuse(NOT_A_FRAME)
      const holder = isToken(token) ? await findHolder(deps, token, 'files', request.ip) : undefined
      if (holder === undefined) return refuse(NO_TICKET)
      const { ticket, person } = holder
      if (!(await mayReadFiles(deps, person, ticket))) return refuse(NO_TICKET)
      if (!(await isWithinPace(deps, token, TICKET_PACE))) return refuse(TOO_MANY)
      const path = decodePath(encoded)
      const send = (file: string) => deps.sendFile(request, reply, ticket, file, headers)
      const isFolder = path === '' || path?.endsWith('/') === true
      const sent = path === undefined ? undefined : await send(isFolder ? path + INDEX : path)
      return sent ?? refuse(NO_FILE)
    },
  )
}

/**
 * Of every file, whatever it is: it may run, without an origin, and loads what is in the workspace and nothing else: a page
 * that somebody copied here from elsewhere brings no script along that its author can change later.
 */
function fileHeaders(workspaceOrigin: string, own: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': `${PAGE_SANDBOX}; default-src ${own} 'unsafe-inline' 'unsafe-eval' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors ${workspaceOrigin}`,
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow',
    'cross-origin-resource-policy': 'cross-origin',
    // A page without an origin is a stranger to its own scripts and data. Without a ticket nobody gets here.
    'access-control-allow-origin': '*',
  }
}

function decodePath(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
