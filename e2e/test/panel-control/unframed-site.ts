import type { IncomingHttpHeaders } from 'node:http'
import { type LoopbackSite, startLoopbackSite } from './loopback-site.ts'

export interface UnframedSite extends LoopbackSite {
  /** The headers of each request for a page. */
  readonly asked: readonly IncomingHttpHeaders[]
}

const FORBIDDEN = { 'x-frame-options': 'DENY', 'content-security-policy': "frame-ancestors 'none'" }

/** A site that forbids every frame, with two long pages. */
export async function startUnframedSite(content = ''): Promise<UnframedSite> {
  const asked: IncomingHttpHeaders[] = []
  const site = await startLoopbackSite(({ url, headers }, response) => {
    if (url !== '/' && url !== '/parts') {
      response.writeHead(204).end()
      return
    }
    asked.push(headers)
    const heading = url === '/' ? 'Keep out of frames' : 'Parts'
    const html = `<!doctype html><html lang="en"><title>${heading}</title><body style="min-height: 4000px"><h1>${heading}</h1>${content}<a href="/parts">Parts</a></body></html>`
    response.writeHead(200, { ...FORBIDDEN, 'content-type': 'text/html; charset=utf-8' }).end(html)
  })
  return { ...site, asked }
}
