import { shownAddress } from './address.ts'
import { RepositoryFailure } from './failure.ts'

/** What an answer that is neither the file nor a redirect means. Its body is never looked at. */
export function failureOfStatus(
  response: Response,
  url: URL,
  hasKey: boolean,
  now: number,
): RepositoryFailure {
  const { status } = response
  const details = { url: shownAddress(url), status }
  if (status === 401 || status === 403) {
    const advice = hasKey
      ? 'check that the API key is valid and may read this'
      : 'give an API key that may read this'
    return new RepositoryFailure('unauthorized', `HTTP ${status}; ${advice}`, details)
  }
  if (status === 404 || status === 410) {
    return new RepositoryFailure(
      'not_found',
      `HTTP ${status}; check the address with whoever publishes it`,
      details,
    )
  }
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), now)
  if (status === 429 || status === 503) {
    const wait = retryAfterMs === undefined ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s`
    return new RepositoryFailure('busy', `HTTP ${status}; try again ${wait}`, {
      ...details,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    })
  }
  if (status >= 500 || status === 408) {
    return new RepositoryFailure('server_error', `HTTP ${status}; try again later`, details)
  }
  return new RepositoryFailure(
    'unexpected_status',
    `HTTP ${status}; report it to whoever publishes it`,
    details,
  )
}

function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(date - now, 0)
}
