import { OpenAI } from 'openai'
import type { AskModel } from './ask-model.io.ts'
import type { ModelConfig } from './config.ts'
import { ANSWER_TOKENS } from './question.ts'

const ADDRESS = 'https://api.openai.com/v1'

/** Any endpoint with chat completions: the company's own, a proxy, or a program on this machine. */
export function createOpenAiModel({ model, baseUrl, apiKey }: ModelConfig): AskModel {
  return async ({ rules, text, picture }, exchange) => {
    const client = new OpenAI({
      // Given in any case, and nothing else taken: the library reads keys of its own from the environment.
      apiKey: apiKey?.reveal() ?? 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      ...(apiKey === undefined ? { defaultHeaders: { authorization: null } } : {}),
      baseURL: baseUrl ?? ADDRESS,
      fetch: exchange.fetch,
      maxRetries: 0,
      logLevel: 'off',
    })
    const answer: unknown = await client.chat.completions.create(
      {
        model,
        // The company's newer models refuse the older word, and other endpoints do not know the newer one.
        ...(baseUrl === undefined ? { max_completion_tokens: ANSWER_TOKENS } : { max_tokens: ANSWER_TOKENS }),
        messages: [
          { role: 'system', content: rules },
          {
            role: 'user',
            content: [
              {
                type: 'image_url',
                image_url: { url: `data:${picture.mediaType};base64,${picture.base64}` },
              },
              { type: 'text', text },
            ],
          },
        ],
      },
      { signal: exchange.signal },
    )
    return textOf(answer)
  }
}

/** The types say what an honest provider answers; this is what any endpoint may. */
function textOf(answer: unknown): string {
  const { choices } = answer as { choices: { message: { content: unknown } }[] }
  const content = choices[0]?.message.content
  return typeof content === 'string' ? content : ''
}
