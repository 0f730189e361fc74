import { readSecret } from '../secrets/secret-in-address.ts'

const OWN_PATH = /^\/(?![/\\])[^\\\s]*$/

/** Where a sign-in leads when nobody said so: to the request that waits in this tab, if one does. */
export function defaultReturnTo(): string {
  return readSecret('/approve') === undefined ? '/account' : '/approve'
}

/** Where a sign-in leads. Only a path of this site: a link to us must not send people on to somebody else. */
export function safeReturnTo(text: string | null): string {
  if (text === null || text.length > 500 || !OWN_PATH.test(text)) return defaultReturnTo()
  const url = URL.parse(text, location.origin)
  // Judged again after it was resolved: `/.//evil.example` becomes `//evil.example`, which is another site.
  const isOwn = url?.origin === location.origin && OWN_PATH.test(url.pathname)
  return isOwn ? text : defaultReturnTo()
}
