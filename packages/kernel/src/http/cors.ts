import type { EndpointSpec } from '@patchbay/contracts/core'
import type { HttpApp } from './http-app.ts'

/** What a page may read of an answer beyond its type and length. */
const EXPOSED = [
  'accept-ranges',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-range',
  'etag',
  'retry-after',
  'www-authenticate',
  'x-request-id',
]

/** For everybody, so never with credentials: browsers show no answer with a star to whoever sent a cookie. */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED.join(', '),
}

/** By name, as browsers take `*` for `Authorization` as well, whatever the standard says. */
const ALLOWED = ['accept', 'cache-control', 'content-type', 'if-none-match', 'if-range', 'range']
const PREFLIGHT_SECONDS = 7_200

export type Preflights = (url: string, endpoint: EndpointSpec) => void

/** Answers what browsers ask before a request that is not a plain one. */
export function answerPreflights(app: HttpApp): Preflights {
  const known = new Map<string, { readonly methods: Set<string>; readonly headers: Set<string> }>()
  return (url, { method, headers = {} }) => {
    const first = known.get(url) === undefined
    const own = known.get(url) ?? { methods: new Set(), headers: new Set(ALLOWED) }
    known.set(url, own)
    own.methods.add(method)
    for (const name of Object.keys((headers as { readonly properties?: object }).properties ?? {}))
      own.headers.add(name)
    if (!first) return
    app.options(url, (_request, reply) =>
      reply
        .code(204)
        .headers({
          'access-control-allow-origin': '*',
          'access-control-allow-methods': [...own.methods].join(', '),
          'access-control-allow-headers': [...own.headers].join(', '),
          'access-control-max-age': `${PREFLIGHT_SECONDS}`,
        })
        .send(),
    )
  }
}
