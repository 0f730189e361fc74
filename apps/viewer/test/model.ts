import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TestModel extends AsyncDisposable {
  /** The settings of a viewer that asks this model. */
  readonly environment: Record<string, string>
  /** How often it was asked. */
  asked(): number
}

/** What the model does with the `count`-th question: its answer, or nothing forever. */
export type Answering = (
  count: number,
) => string | { readonly status: number; readonly after?: Promise<void> } | undefined

/** A model on this machine that speaks the protocol of chat completions. */
export async function startModel(answering: Answering): Promise<TestModel> {
  let asked = 0
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      const answer = answering(asked)
      asked += 1
      if (answer === undefined) return
      if (typeof answer === 'object') {
        void Promise.resolve(answer.after).then(() =>
          response.writeHead(answer.status).end('{"error":{"message":"../../etc/passwd"}}'),
        )
        return
      }
      const choices = [{ index: 0, message: { role: 'assistant', content: answer }, finish_reason: 'stop' }]
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ id: '1', object: 'chat.completion', created: 1, model: 'test', choices }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    environment: {
      PATCHBAY_VIEWER_NAMING: 'model',
      PATCHBAY_VIEWER_MODEL: 'test',
      PATCHBAY_VIEWER_MODEL_PROVIDER: 'openai',
      PATCHBAY_VIEWER_MODEL_URL: `http://127.0.0.1:${port}/v1`,
      PATCHBAY_VIEWER_MODEL_FALLBACK: 'off',
    },
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
