import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { PAGE_CSP } from '@patchbay/contracts/core'
import {
  readSandboxQuery,
  SANDBOX_FRAME_PATH,
  SANDBOX_HOST_PATH,
  sandboxFramePage,
  sandboxHostPage,
} from '@patchbay/contracts/panels'
import { build, type Rolldown } from 'vite'
import { webConfig } from '../../vite.config.ts'

export interface SandboxSite extends AsyncDisposable {
  readonly url: string
  /** The addresses that were asked for. */
  readonly requests: string[]
  /** What it has besides its page. */
  readonly files: Map<string, string>
}

const bundles = new Map<string, Promise<Map<string, string>>>()

/** A script for a page of the tests, with the chunks that it loads late, by their names. Bundled once in a process. */
export async function bundlePage(entry: URL): Promise<Map<string, string>> {
  const bundle = bundles.get(entry.href) ?? bundleAnew(entry)
  bundles.set(entry.href, bundle)
  // Who adds a file adds it to its own.
  return new Map(await bundle)
}

async function bundleAnew(entry: URL): Promise<Map<string, string>> {
  const { plugins = [], resolve = {} } = webConfig({ serverUrl: 'http://127.0.0.1:1' })
  const output = (await build({
    configFile: false,
    logLevel: 'error',
    plugins,
    resolve,
    build: { write: false, lib: { entry: fileURLToPath(entry), formats: ['es'], fileName: 'page' } },
  })) as Rolldown.RolldownOutput[]
  const parts = output.flatMap((bundle) => bundle.output)
  return new Map(
    parts.map((part) => [`/${part.fileName}`, part.type === 'chunk' ? part.code : String(part.source)]),
  )
}

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Workspace</title>
<link rel="stylesheet" href="/page.css"><script type="module" src="/page.js"></script></head>
<body><div id="first"></div><div id="second"></div></body></html>`

/** A page with a sandbox, and the documents that the server sends for it. */
export async function serveSandbox(
  files: Map<string, string>,
  html = PAGE,
  policy = PAGE_CSP,
): Promise<SandboxSite> {
  const requests: string[] = []
  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, search } = new URL(request.url ?? '/', 'http://127.0.0.1')
    requests.push(request.url ?? '')
    const page =
      pathname === SANDBOX_HOST_PATH
        ? sandboxHostPage(readSandboxQuery(search) ?? [])
        : pathname === SANDBOX_FRAME_PATH
          ? sandboxFramePage(readSandboxQuery(search) ?? [])
          : {
              html: search === '?ahead' ? html.replace('/page.js', '/ahead.js') : html,
              headers: { 'content-security-policy': policy, 'set-cookie': 'seen=yes' },
            }
    const file = files.get(pathname)
    if (file === undefined)
      return void response.writeHead(200, { ...page.headers, 'content-type': 'text/html' }).end(page.html)
    const type = pathname.endsWith('.css') ? 'text/css' : 'text/javascript'
    response.writeHead(200, { 'content-type': type }).end(file)
  }
  const server = createServer(answer)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no TCP address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    files,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}
