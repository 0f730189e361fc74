import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { startLoopbackSite } from '../panel-control/loopback-site.ts'

/** A program on this machine that names pictures, with the protocol that such programs have in common. */
export interface LocalModel extends AsyncDisposable {
  /** How a viewer is told of it. */
  readonly environment: Readonly<Record<string, string>>
  /** Answers one question: the first that waits, or the next that comes. */
  answer(name: string): void
  /** Answers what waits, and whatever comes. */
  answerAll(name: string): void
}

export async function startLocalModel(): Promise<LocalModel> {
  const waiting: ((name: string) => void)[] = []
  const ready: string[] = []
  let always: string | undefined
  const nextAnswer = async () =>
    always ?? ready.shift() ?? (await new Promise<string>((resolve) => waiting.push(resolve)))
  const site = await startLoopbackSite((request, response) => void answerTo(request, response))
  async function answerTo(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume()
    await once(request, 'end')
    const content = await nextAnswer()
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }]
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ id: 'answer', object: 'chat.completion', created: 0, model: 'local', choices }))
  }
  return {
    environment: {
      PATCHBAY_VIEWER_NAMING: 'model',
      PATCHBAY_VIEWER_MODEL_PROVIDER: 'openai',
      PATCHBAY_VIEWER_MODEL: 'local',
      PATCHBAY_VIEWER_MODEL_URL: site.url,
    },
    answer(name) {
      const question = waiting.shift()
      if (question === undefined) ready.push(name)
      else question(name)
    },
    answerAll(name) {
      always = name
      for (const question of waiting.splice(0)) question(name)
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  }
}
