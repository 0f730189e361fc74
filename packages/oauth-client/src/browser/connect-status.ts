import { ConnectError } from './connect-error.ts'

/** What the status route of a service answers. Only `configured` is certain. */
export interface ConnectStatus {
  readonly configured: boolean
  readonly pending?: boolean
  readonly phrase?: string
  readonly error?: { readonly code: string; readonly message: string }
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Throws for every answer that is not one: a proxy's error page must not pass for "not configured". */
export async function askStatus(url: string, fetch: Fetch, signal: AbortSignal): Promise<ConnectStatus> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    credentials: 'same-origin',
    cache: 'no-store',
    signal,
  })
  if (!response.ok) throw new ConnectError('status_failed', `The status route answered ${response.status}.`)
  const status: unknown = await response.json()
  if (!isStatus(status)) throw new ConnectError('status_failed', 'The status route did not say "configured".')
  return status
}

function isStatus(value: unknown): value is ConnectStatus {
  return (
    typeof value === 'object' &&
    value !== null &&
    'configured' in value &&
    typeof value.configured === 'boolean'
  )
}
