import { createServer } from 'node:http'

export interface PlainPage extends AsyncDisposable {
  /** A page that says with which of its loads it came: one that was loaded again shows another number. */
  readonly url: string
  loads(): number
}

/** A page of the web, as far as web views here can see it. In its content % stands for how often it was loaded. */
export async function startPlainPage(content = '<h1>Load %</h1>'): Promise<PlainPage> {
  let loads = 0
  const server = createServer((request, response) => {
    if (request.url !== '/page') {
      response.writeHead(204).end()
      return
    }
    loads += 1
    const html = `<!doctype html><html lang="en"><title>Plain</title><main>${content.replace('%', String(loads))}</main></html>`
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no TCP address')
  return {
    url: `http://127.0.0.1:${address.port}/page`,
    loads: () => loads,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}
