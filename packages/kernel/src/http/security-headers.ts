import { PAGE_CSP, PAGE_PERMISSIONS } from '@patchbay/contracts/core'

/** For answers that are data: nothing may be loaded, framed or run. */
export const API_CSP = "default-src 'none'; frame-ancestors 'none'"

/**
 * On every answer. Few on purpose: each costs more than any check of ours. HSTS is the TLS terminator's to send:
 * only it knows that TLS is there to stay.
 */
export const API_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': API_CSP,
  'x-content-type-options': 'nosniff',
}

/** On pages, in addition: these only mean something for a document, or for what others would embed. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': PAGE_CSP,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': PAGE_PERMISSIONS,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}
