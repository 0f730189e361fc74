import type { FastifyInstance } from 'fastify'
import findMyWay, { type HTTPMethod } from 'find-my-way'

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
] as const satisfies readonly HTTPMethod[]

export type AllowedMethods = (path: string) => readonly string[]

/**
 * Which methods an address takes. The framework answers a wrong method like an unknown address; a second router,
 * asked only when nothing was found, tells the two apart.
 */
export function trackMethods(app: FastifyInstance): AllowedMethods {
  const router = findMyWay({ ignoreDuplicateSlashes: false, ignoreTrailingSlash: false })
  const known = new Set<string>()
  app.addHook('onRoute', ({ method, url }) => {
    // A catch-all serves pages under any path; it must not turn every unknown address into a 405.
    if (url === '*' || url === '/*') return
    for (const one of [method].flat()) {
      const name = one as HTTPMethod
      if (known.has(`${name} ${url}`)) continue
      known.add(`${name} ${url}`)
      router.on(name, url, () => {})
    }
  })
  return (path) => METHODS.filter((method) => router.find(method, path) !== null)
}
