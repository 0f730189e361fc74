import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelConfig } from '../../src/naming/config.ts'

export type ProviderKind = ModelConfig['provider']

export interface ReceivedQuestion {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Reply = (response: ServerResponse, request: IncomingMessage) => void

/** A provider on this machine that speaks the protocols of both, and says what the test has it say. */
export interface TestProvider extends AsyncDisposable {
  readonly origin: string
  readonly received: ReceivedQuestion[]
  /** What to configure for it. */
  baseUrl(kind: ProviderKind): string
}

/** Replies in their order; the last one is repeated. */
export async function startProvider(...replies: readonly Reply[]): Promise<TestProvider> {
  const received: ReceivedQuestion[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      })
      replies[Math.min(received.length, replies.length) - 1]?.(response, request)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    received,
    baseUrl: (kind) => (kind === 'openai' ? `${origin}/v1` : origin),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The answer of a model, in the shape of whichever protocol was spoken. */
export function says(text: string): Reply {
  return (response, request) => {
    const isOpenAi = request.url?.endsWith('/chat/completions') ?? false
    respond(response, 200, isOpenAi ? completion(text) : message(text))
  }
}

export function refuses(status: number, body: unknown = { error: { message: 'no', type: 'x' } }): Reply {
  return (response) => respond(response, status, body)
}

/** Anything at all, as if it were an answer. */
export function sends(contentType: string, body: string): Reply {
  return (response) => response.writeHead(200, { 'content-type': contentType }).end(body)
}

export const staysSilent: Reply = () => {}
export const hangsUp: Reply = (response) => response.destroy()

function respond(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function completion(content: string): unknown {
  return {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
  }
}

function message(text: string): unknown {
  return {
    id: 'm1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  }
}
