import { request as httpRequest } from 'node:http'

/** What arrived on one stream, as it arrived. */
export interface OpenStream {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  text(): string
  /** The events so far, with their data. */
  events(): readonly { readonly event: string; readonly data: string }[]
  /** Settles when the other side ended it. */
  readonly ended: Promise<void>
  /** Goes away without a word. */
  leave(): void
}

export function openStream(
  baseUrl: string,
  token: string,
  headers: Record<string, string> = {},
): Promise<OpenStream> {
  const { promise, resolve, reject } = Promise.withResolvers<OpenStream>()
  const request = httpRequest(
    `${baseUrl}/auth/intents/${token}/status`,
    { headers: { accept: 'text/event-stream', 'user-agent': 'node', ...headers }, agent: false },
    (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      const ended = new Promise<void>((settle) => {
        response.once('close', settle)
      })
      response.on('error', () => {})
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: () => text,
        events: () => eventsIn(text),
        ended,
        leave: () => request.destroy(),
      })
    },
  )
  request.once('error', reject)
  request.end()
  return promise
}

function eventsIn(text: string): { event: string; data: string }[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event:'))
    .map((block) => ({
      event: /^event: (.*)$/m.exec(block)?.[1] ?? '',
      data: /^data: ?(.*)$/m.exec(block)?.[1] ?? '',
    }))
}
