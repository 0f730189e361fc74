import { shownAddress } from './address.ts'
import type { Answer, Continuation, Request } from './answer.ts'
import { Deadline } from './deadline.ts'
import { RepositoryFailure } from './failure.ts'
import type { ClientLimits } from './limits.ts'
import { failureOfStatus } from './status.ts'
import { conditionalHeaders, validatorsOf } from './validators.ts'

export interface HttpDeps {
  readonly fetch: typeof globalThis.fetch
  readonly limits: ClientLimits
  readonly now: () => number
  /** Sent to this origin and to no other. */
  readonly key?: { readonly origin: string; readonly value: string } | undefined
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** One GET with its redirects. Every one of them is a request of its own, so that no header travels along. */
export async function openHttp(request: Request, deps: HttpDeps): Promise<Answer> {
  const patience = new Deadline(
    { idleMs: deps.limits.idleMs, deadlineMs: request.deadlineMs },
    request.signal,
  )
  let { url } = request
  try {
    for (let redirects = 0; ; redirects += 1) {
      const response = await deps.fetch(url, {
        headers: headersFor(url, request, deps),
        signal: patience.signal,
        redirect: 'manual',
        credentials: 'omit',
      })
      patience.listen()
      if (!REDIRECTS.has(response.status)) {
        // Awaited here: a refusal must end the timers, which would keep the process alive.
        return await answerOf(response, url, redirects, request, deps, patience)
      }
      await response.body?.cancel()
      if (redirects === deps.limits.redirects) {
        throw new RepositoryFailure(
          'redirect_refused',
          `more than ${redirects} redirects; check the address`,
          {
            url: shownAddress(request.url),
          },
        )
      }
      url = nextAddress(url, response)
    }
  } catch (error) {
    patience[Symbol.dispose]()
    throw patience.explain(error, 'unreachable', shownAddress(url))
  }
}

function headersFor(url: URL, request: Request, { key }: HttpDeps): Record<string, string> {
  return {
    accept: request.accept,
    ...conditionalHeaders(request.validators),
    ...continuationHeaders(request.continuation),
    ...(request.isFresh === true ? { 'cache-control': 'no-cache' } : {}),
    ...(key !== undefined && key.origin === url.origin ? { 'x-api-key': key.value } : {}),
  }
}

/** Bytes of a coding cannot be joined to bytes of the file: the part is asked for as it is. */
function continuationHeaders(continuation: Continuation | undefined): Record<string, string> {
  if (continuation === undefined) return {}
  return {
    range: `bytes=${continuation.from}-`,
    'if-range': continuation.etag,
    'accept-encoding': 'identity',
  }
}

/** Where the body of a 206 begins, if that is where it was asked to. */
function continuedFrom({ status, headers }: Response, asked: Continuation | undefined): number | undefined {
  if (status !== 206 || asked === undefined || headers.has('content-encoding')) return undefined
  const [, from] = /^bytes (\d+)-\d+\/(?:\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? []
  return Number(from) === asked.from ? asked.from : undefined
}

function nextAddress(from: URL, response: Response): URL {
  const location = response.headers.get('location') ?? ''
  const details = { url: shownAddress(from), status: response.status }
  if (location === '' || !URL.canParse(location, from.href)) {
    throw new RepositoryFailure(
      'redirect_refused',
      'it leads to no address; report it to whoever publishes it',
      details,
    )
  }
  const to = new URL(location, from.href)
  to.hash = ''
  const isWeb = to.protocol === 'https:' || to.protocol === 'http:'
  if (!isWeb || to.username !== '' || to.password !== '') {
    throw new RepositoryFailure('redirect_refused', 'it leads to an address that must not be opened', details)
  }
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new RepositoryFailure('redirect_refused', 'it leads from https to unprotected http', details)
  }
  return to
}

async function answerOf(
  response: Response,
  url: URL,
  redirects: number,
  request: Request,
  deps: HttpDeps,
  patience: Deadline,
): Promise<Answer> {
  const { status, headers } = response
  const isNotModified = status === 304 && Object.keys(conditionalHeaders(request.validators)).length > 0
  const from = continuedFrom(response, request.continuation)
  if (status !== 200 && !isNotModified && from === undefined) {
    await response.body?.cancel()
    throw failureOfStatus(response, url, deps.key?.origin === url.origin, deps.now())
  }
  const announced = headers.get('content-length')
  return {
    isNotModified,
    from: from ?? 0,
    status,
    url,
    redirects,
    validators: validatorsOf(headers),
    contentType: headers.get('content-type') ?? undefined,
    // Of an encoded answer it would be the length of the encoded bytes.
    length: announced === null || headers.has('content-encoding') ? undefined : Number(announced),
    body: readBody(response, url, patience),
    async close() {
      patience[Symbol.dispose]()
      if (response.body?.locked === false) await response.body.cancel().catch(() => undefined)
    },
  }
}

async function* readBody(response: Response, url: URL, patience: Deadline): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response.body ?? []) {
      patience.rest()
      yield chunk
      patience.listen()
    }
  } catch (error) {
    throw patience.explain(error, 'interrupted', shownAddress(url))
  } finally {
    patience[Symbol.dispose]()
  }
}
