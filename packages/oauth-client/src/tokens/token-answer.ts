import { networkFailureOf, PassingFailure } from './token-failure.ts'

const MOST_BYTES = 1024 * 1024

/** Fetches a token answer and puts right what many providers get wrong, before the library judges it. */
export async function fetchTokenAnswer(url: string, init: RequestInit, now: () => number): Promise<Response> {
  const answer = await fetchWhole(url, init)
  const { status } = answer
  if (status >= 500 || status === 429 || status === 408) {
    throw new PassingFailure(`http_${status}`, retryAfterMs(answer.headers.get('retry-after'), now()))
  }
  const body = parseObject(answer.text)
  if (body === undefined) return new Response(answer.text, { status: atLeast200(status) })
  const failed = status === 200 && typeof body.error === 'string' && typeof body.access_token !== 'string'
  // GitHub answers errors with 200.
  return Response.json(withoutQuirks(body), { status: failed ? 400 : atLeast200(status) })
}

/** A refused answer is a lost one: the provider has replaced the refresh token and will not say the new one again. */
function withoutQuirks(body: Record<string, unknown>): Record<string, unknown> {
  const { refresh_token, expires_in, scope, token_type, id_token: _, ...rest } = body
  const seconds = typeof expires_in === 'string' ? Number.parseFloat(expires_in) : expires_in
  return {
    ...rest,
    // Left out by some. The other kinds of token need more than a token to be used.
    token_type: typeof token_type === 'string' && token_type !== '' ? token_type : 'bearer',
    // Null or empty instead of left out.
    ...(typeof refresh_token === 'string' && refresh_token !== '' && { refresh_token }),
    ...(typeof seconds === 'number' && seconds >= 0 && Number.isFinite(seconds) && { expires_in: seconds }),
    // A list at Twitch.
    ...(typeof scope === 'string' && { scope }),
  }
}

interface WholeAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

async function fetchWhole(url: string, init: RequestInit): Promise<WholeAnswer> {
  try {
    const response = await fetch(url, init)
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength
      if (size > MOST_BYTES) break
      chunks.push(chunk)
    }
    const text = size > MOST_BYTES ? '' : Buffer.concat(chunks).toString('utf8')
    return { status: response.status, headers: response.headers, text }
  } catch (error) {
    throw networkFailureOf(error)
  }
}

/** Seconds or a date. */
function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0
  const milliseconds = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now
  return Number.isFinite(milliseconds) ? Math.max(milliseconds, 0) : 0
}

/** A `Response` cannot be made with any other. */
function atLeast200(status: number): number {
  return status >= 200 && status !== 204 && status !== 205 && status !== 304 ? status : 400
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
