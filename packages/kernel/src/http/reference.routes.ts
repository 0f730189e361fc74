import {
  type ApiInfo,
  type EndpointSpec,
  isProblemCode,
  openApiDocument,
  Problem,
} from '@patchbay/contracts/core'
import type { FastifyReply } from 'fastify'
import type { HttpApp } from './http-app.ts'
import { problemListPage, problemPage } from './problem-pages.ts'
import { referencePage } from './reference-page.ts'
import { PAGE_HEADERS } from './security-headers.ts'

/** The reference page's style sheet; a module, so that the kernel ships no loose files. */
const REFERENCE_CSS = `
:root { color-scheme: light dark; --ink: light-dark(#14181f, #e8ebf0); --quiet: light-dark(#586174, #9aa4b5);
  --ground: light-dark(#f7f8fa, #0f1216); --card: light-dark(#fff, #171b21); --line: light-dark(#dfe3ea, #2a303a);
  --accent: light-dark(#a64400, #ff9a4d); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 64rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.6 system-ui, sans-serif; }
a { color: var(--accent); }
h1 { font-size: 2rem; line-height: 1.2; margin: .25rem 0 .5rem; letter-spacing: -.02em; }
h2 { margin: 2.5rem 0 1rem; font-size: 1.25rem; }
h3 { margin: 0 0 .25rem; font-size: 1rem; font-weight: 500; overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .9em; }
.quiet, .crumb { color: var(--quiet); margin: 0; }
nav ul { list-style: none; margin: 1.5rem 0 0; padding: 0; columns: 20rem; }
nav li { overflow-wrap: anywhere; padding: .25rem 0; }
nav a { color: inherit; text-decoration: none; }
nav a:hover { text-decoration: underline; }
.m { color: var(--accent); font: 600 .8em/1 ui-monospace, Menlo, Consolas, monospace; letter-spacing: .04em; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem; margin: 0 0 1rem; }
article:target { border-color: var(--accent); }
article p { margin: .25rem 0 .75rem; }
.status { color: var(--quiet); margin: .5rem 0; }
.status b { color: var(--ink); font-variant-numeric: tabular-nums; margin-right: .25rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .95em; margin: .5rem 0; }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--quiet); font-weight: 500; }
summary { cursor: pointer; color: var(--quiet); }
.text { max-width: 44rem; overflow-wrap: break-word; }
.text h2 { margin-bottom: .25rem; }
.text p { margin: 0; }
dl { margin: 0; }
dl div { display: grid; grid-template-columns: minmax(0, 16rem) minmax(0, 1fr); gap: 0 1rem; padding: .35rem 0; border-bottom: 1px solid var(--line); }
dd { margin: 0; }
@media (max-width: 40rem) { dl div { grid-template-columns: minmax(0, 1fr); } }
pre { overflow-x: auto; padding: .75rem; background: var(--ground); border-radius: 6px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`

/** Serves the description of every route that was made from an endpoint, as a document and as a page, and of every problem. */
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
    return sendPage(reply, page)
  })
  app.get('/reference.css', async (_request, reply) =>
    reply.type('text/css').header('cache-control', 'no-cache').send(REFERENCE_CSS),
  )
  app.get('/problems', async (_request, reply) => sendPage(reply, problemListPage()))
  app.get<{ Params: { code: string } }>('/problems/:code', async (request, reply) => {
    const { code } = request.params
    if (!isProblemCode(code)) throw new Problem('not_found', { detail: 'No problem has this code.' })
    return sendPage(reply, problemPage(code))
  })
}

function sendPage(reply: Pick<FastifyReply, 'type'>, page: string): FastifyReply {
  return reply.type('text/html').headers(PAGE_HEADERS).header('cache-control', 'no-cache').send(page)
}
