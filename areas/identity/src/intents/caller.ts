import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isSameText, isSecret, sha256 } from '../secrets.ts'
import { readCookie, writeCookie } from '../sessions/credentials.ts'
import { originOf } from '../sessions/origin.ts'

/** Given to whoever opens an intent and keeps cookies. It names a caller and is good for nothing else. */
const CALLER_COOKIE = '__Host-patchbay-caller'
const CALLER_COOKIE_SECONDS = 90 * 86_400

/** Whoever asks for a status. Two requests with the same name are the same caller. */
export interface Caller {
  readonly name: string
  readonly verifier: string | undefined
}

interface CallerRequest {
  readonly ip: string
  readonly headers: IncomingHttpHeaders
}

/**
 * Retriever is compared with retriever, never with the browser that approves: people approve on a phone what runs in a
 * data center, and addresses differ there for good reasons.
 */
export function callerOf(request: CallerRequest): Caller {
  const verifier = request.headers['intent-verifier']
  return { name: callerName(request), verifier: typeof verifier === 'string' ? verifier : undefined }
}

/** What is kept of a caller. Only where there is no verifier, so not made before it is needed. */
export function callerId({ name }: Caller): Buffer {
  return sha256(name)
}

function callerName(request: CallerRequest): string {
  const cookie = readCookie(request.headers, CALLER_COOKIE)
  if (cookie !== undefined && isSecret(cookie)) return `cookie ${cookie}`
  const { network, userAgent } = originOf(request)
  // The whole address: in one network somebody else may have seen the link, and user agents are no secret.
  return `address ${network} ${userAgent}`
}

/** A cookie for a caller that has none yet. */
export function callerCookie(headers: IncomingHttpHeaders, createSecret: () => string): string | undefined {
  if (isSecret(readCookie(headers, CALLER_COOKIE) ?? '')) return undefined
  return writeCookie(CALLER_COOKIE, createSecret(), {
    maxAgeSeconds: CALLER_COOKIE_SECONDS,
    sameSite: 'Strict',
  })
}

/**
 * Whether the caller may hear of the intent at all. One with a challenge does not exist for whoever cannot answer it:
 * the link was seen by others, and they learn nothing, not even that they were late.
 */
export function maySee(codeChallenge: string | null, { verifier }: Caller): boolean {
  if (codeChallenge === null) return true
  if (verifier === undefined) return false
  return isSameText(hash('sha256', verifier, 'base64url'), codeChallenge)
}

/** Whoever has the verifier is the same caller, from wherever. */
export function retrieverOf(codeChallenge: string | null, caller: Caller): Buffer {
  return codeChallenge === null ? callerId(caller) : sha256(`challenge ${codeChallenge}`)
}
