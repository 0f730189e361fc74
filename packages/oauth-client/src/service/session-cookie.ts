const NAME = 'patchbay-connect'
const SESSION = /^[A-Za-z0-9_-]{43}$/
const MAX_AGE_SECONDS = 24 * 60 * 60

/**
 * `__Host-`: no other host, not even a subdomain, can plant one. Without TLS browsers refuse the prefix.
 * Lax, not Strict: the person's first request after the provider's pages is a navigation from another site.
 */
export function sessionCookie(session: string, isSecure: boolean): string {
  const prefix = isSecure ? '__Host-' : ''
  const secure = isSecure ? '; Secure' : ''
  return `${prefix}${NAME}=${session}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${MAX_AGE_SECONDS}${secure}`
}

export function sessionOf(header: string | undefined, isSecure: boolean): string | undefined {
  const name = `${isSecure ? '__Host-' : ''}${NAME}=`
  const value = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(name))
    ?.slice(name.length)
  return value !== undefined && SESSION.test(value) ? value : undefined
}
