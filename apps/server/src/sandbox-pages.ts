import { Problem } from '@patchbay/contracts/core'
import {
  readSandboxQuery,
  SANDBOX_FRAME_PATH,
  SANDBOX_HOST_PATH,
  sandboxFramePage,
  sandboxHostPage,
} from '@patchbay/contracts/panels'
import type { HttpApp } from '@patchbay/kernel/http'

const PAGES = [
  [SANDBOX_HOST_PATH, sandboxHostPage],
  [SANDBOX_FRAME_PATH, sandboxFramePage],
] as const

/** The two documents around code in a sandbox. They hold nothing of anybody's, so whoever asks gets them. */
export function registerSandboxPages(app: HttpApp): void {
  for (const [path, pageOf] of PAGES) {
    app.get(path, async (request, reply) => {
      const connect = readSandboxQuery(request.url.split('?')[1] ?? '')
      if (connect === undefined) {
        throw new Problem('invalid_request', { detail: '`connect` is at most ten origins, each once.' })
      }
      const { html, headers } = pageOf(connect)
      return reply.headers(headers).type('text/html; charset=utf-8').send(html)
    })
  }
}
