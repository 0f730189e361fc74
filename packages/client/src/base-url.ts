const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * The address of an installation, without a slash at its end. Encrypted, or never leaving this machine: a session token
 * is sent there. The value is not repeated in the error: people paste addresses with secrets in them.
 */
export function checkBaseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new TypeError('baseUrl must be an address that begins with https:// or http://')
  if (url.username !== '' || url.password !== '') throw new TypeError('baseUrl must hold no credentials')
  if (url.search !== '' || url.hash !== '') throw new TypeError('baseUrl must have no query and no fragment')
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw new TypeError('baseUrl must be encrypted (https://) unless it is on this machine')
  return url.origin + url.pathname.replace(/\/+$/, '')
}
