import type { IncomingHttpHeaders } from 'node:http'

/** What a request shows of itself. The most deliberate one counts: a script's key before a cookie that came along. */
export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'api_key'; readonly key: string }
  | { readonly kind: 'application'; readonly token: string }
  | { readonly kind: 'browser'; readonly token: string }

export const SESSION_COOKIE = '__Host-patchbay-session'

const BEARER = /^Bearer +([^\s]+)$/i

export function credentialOf(headers: IncomingHttpHeaders): Credential {
  const key = headers['x-api-key']
  if (key !== undefined) return { kind: 'api_key', key: String(key) }
  if (headers.authorization !== undefined) {
    // Another scheme is no session; whether that matters is for whoever asks.
    const token = BEARER.exec(headers.authorization)?.[1]
    return { kind: 'application', token: token ?? '' }
  }
  const token = readCookie(headers, SESSION_COOKIE)
  return token === undefined ? { kind: 'none' } : { kind: 'browser', token }
}

/** The first of that name: `__Host-` names cannot be planted by another host, so there is one. */
export function readCookie(headers: IncomingHttpHeaders, name: string): string | undefined {
  for (const part of (headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}

export interface CookieOptions {
  readonly maxAgeSeconds: number
  /** `Lax` for what must come along when another site sends the browser here. */
  readonly sameSite: 'Strict' | 'Lax'
}

/** `__Host-` makes the browser insist on Secure, the whole path, and this host alone. */
export function writeCookie(name: `__Host-${string}`, value: string, options: CookieOptions): string {
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=${options.sameSite}; Max-Age=${options.maxAgeSeconds}`
}

export function dropCookie(name: `__Host-${string}`): string {
  return writeCookie(name, '', { maxAgeSeconds: 0, sameSite: 'Strict' })
}
