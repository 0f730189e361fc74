import type { ProblemCode } from '@patchbay/contracts/core'

/** Nothing of a sign-in is kept by caches, or told to the page it leads to. */
export const REDIRECT_HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } as const

export const SIGN_UP_PAGE = '/sign-up'

/** With where the person was going, so that a second try ends there too. */
export function problemPage(code: ProblemCode, returnTo: string): string {
  const query = new URLSearchParams({ problem: code })
  if (returnTo !== '/') query.set('return_to', returnTo)
  return `/sign-in?${query.toString()}`
}
