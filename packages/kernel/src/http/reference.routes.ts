import { type ApiInfo, type EndpointSpec, openApiDocument } from '@patchbay/contracts/core'
import type { HttpApp } from './http-app.ts'
import { referencePage } from './reference-page.ts'
import { REFERENCE_CSS } from './reference-style.ts'
import { PAGE_HEADERS } from './security-headers.ts'

/** Serves the description of every route that was made from an endpoint, as a document and as a page. */
export function registerReference(app: HttpApp, info: ApiInfo): void {
  const endpoints = new Map<string, EndpointSpec>()
  app.addHook('onRoute', ({ config }) => {
    const { endpoint } = (config ?? {}) as { endpoint?: EndpointSpec }
    if (endpoint !== undefined) endpoints.set(endpoint.name, endpoint)
  })
  // Routes are all known once the app is ready, and do not change after that.
  let document: string | undefined
  let page: string | undefined
  const describe = () => openApiDocument([...endpoints.values()], info)

  app.get('/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(describe())
    return reply.type('application/json').header('cache-control', 'no-cache').send(document)
  })
  app.get('/reference', async (_request, reply) => {
    page ??= referencePage(describe())
    return reply.type('text/html').headers(PAGE_HEADERS).header('cache-control', 'no-cache').send(page)
  })
  app.get('/reference.css', async (_request, reply) =>
    reply.type('text/css').header('cache-control', 'no-cache').send(REFERENCE_CSS),
  )
}
