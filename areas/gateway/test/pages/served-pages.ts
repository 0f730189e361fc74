import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CALLBACK_OUTCOMES } from '@patchbay/contracts/gateway'
import { confirmPage, type Question } from '../../src/pages/confirm-page.ts'
import { MALFORMATIONS, malformedPage } from '../../src/pages/malformed-page.ts'
import { CONFIRM_PAGE_HEADERS, PAGE_RESPONSE_HEADERS } from '../../src/pages/page-headers.ts'
import { resultPage } from '../../src/pages/result-page.ts'

export const QUESTION: Question = {
  provider: 'GitHub',
  label: 'Board Studio on lab-bench-7',
  phrase: 'orbit eclipse bamboo',
  flow: 'AbCdEfGhIjKlMnOpQrStUv',
  nonce: 'bm9uY2U',
}
export const CONFIRM_PATH = `/callback/confirm/${QUESTION.flow}`

/** Every page by the path it is served at here. */
export const PAGES: ReadonlyMap<string, string> = new Map([
  ...CALLBACK_OUTCOMES.map((outcome) => [`/callback/result/${outcome}`, resultPage(outcome)] as const),
  ...MALFORMATIONS.map((what) => [`/malformed/${what}`, malformedPage(what)] as const),
  [CONFIRM_PATH, confirmPage(QUESTION)],
])

interface SentForm {
  readonly path: string
  readonly origin: string | undefined
  readonly body: string
}

export interface Site extends AsyncDisposable {
  readonly url: string
  /** What forms have sent here. */
  readonly sent: readonly SentForm[]
  /** Paths that were asked for and are no page. */
  readonly missed: readonly string[]
}

/** Serves pages with exactly the headers they are meant to have; every form is answered as the gateway does. */
export async function servePages(pages: ReadonlyMap<string, string> = PAGES, base = ''): Promise<Site> {
  const sent: SentForm[] = []
  const missed: string[] = []
  const server = createServer((request, reply) => {
    const path = (request.url ?? '').replace(base, '')
    if (request.method === 'POST') {
      request
        .setEncoding('utf8')
        .toArray()
        .then(
          (chunks) => {
            sent.push({ path: request.url ?? '', origin: request.headers.origin, body: chunks.join('') })
            reply.writeHead(303, { location: `${base}/callback/result/done` }).end()
          },
          () => reply.destroy(),
        )
      return
    }
    const text = pages.get(path)
    if (text === undefined) missed.push(path)
    const headers = path.startsWith('/callback/confirm/') ? CONFIRM_PAGE_HEADERS : PAGE_RESPONSE_HEADERS
    reply.writeHead(text === undefined ? 404 : 200, headers).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    sent,
    missed,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
