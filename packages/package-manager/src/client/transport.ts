/** What a server answered, before anybody reads the body. A `Response` is one. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: HttpBody | null
}

/** A piece may be reused for the next one once that is asked for. */
interface HttpBody extends AsyncIterable<Uint8Array> {
  /** Somebody reads it, and ends it. */
  readonly locked: boolean
  cancel(): Promise<void>
}

/** One GET. Redirects are answers like any other. */
export type Transport = (
  url: URL,
  question: { readonly headers: Record<string, string>; readonly signal: AbortSignal },
) => Promise<HttpResponse>

export function fetchTransport(fetch: typeof globalThis.fetch): Transport {
  return (url, question) => fetch(url, { ...question, redirect: 'manual', credentials: 'omit' })
}
