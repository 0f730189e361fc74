import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a GET of the auth route is the wish of the person at the screen. Any page of the web can send a browser here
 * (a link, a redirect, an image); a provider that remembers consent then connects the account of somebody who never
 * asked. Such a request is answered with a page that asks; the click there comes from our own origin.
 */
export function isOwnWish(headers: IncomingHttpHeaders, trustedOrigins: readonly string[]): boolean {
  // A browser that looks ahead follows links that nobody clicked.
  if (/\bprefetch\b/.test(textOf(headers['sec-purpose']) ?? textOf(headers['purpose']) ?? '')) return false
  const site = textOf(headers['sec-fetch-site'])
  // "none": typed, or from a bookmark. "same-site" is not enough: it holds for every port of this host.
  if (site === 'same-origin' || site === 'none') return true
  const from = originOf(textOf(headers.referer))
  if (from !== undefined && trustedOrigins.includes(from)) return true
  if (site !== undefined) return false
  // Programs, old browsers, and all browsers on plain http beyond this machine, which is no place for sign-ins.
  return textOf(headers.referer) === undefined || hostOf(from) === headers.host
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function originOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined
}

function hostOf(origin: string | undefined): string | undefined {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined
}
