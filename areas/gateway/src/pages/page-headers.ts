import { createHash } from 'node:crypto'
import { PAGE_PERMISSIONS } from '@patchbay/contracts/core'
import { PAGE_STYLE } from './page-style.ts'

type Headers = Readonly<Record<string, string>>

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64')

function policy(formAction: "'self'" | "'none'"): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action ${formAction}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** For every page but the one that asks. */
export const PAGE_RESPONSE_HEADERS: Headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy("'none'"),
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': `${PAGE_PERMISSIONS}, publickey-credentials-get=()`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/**
 * For the page that asks. `form-action` holds for redirects after the form as well. Without referrers a browser posts the
 * form with `Origin: null`, so the form's nonce and the flow's cookie tell where an answer comes from.
 */
export const CONFIRM_PAGE_HEADERS: Headers = {
  ...PAGE_RESPONSE_HEADERS,
  'content-security-policy': policy("'self'"),
}
