import { Anthropic } from '@anthropic-ai/sdk'
import type { AskModel } from './ask-model.io.ts'
import type { ModelConfig } from './config.ts'
import { ANSWER_TOKENS } from './question.ts'

const ADDRESS = 'https://api.anthropic.com'

export function createAnthropicModel({ model, baseUrl, apiKey }: ModelConfig): AskModel {
  return async ({ rules, text, picture }, exchange) => {
    const client = new Anthropic({
      // Without a key the library would look for one in files and variables that nobody configured for us.
      apiKey: apiKey?.reveal() ?? 'none',
      baseURL: baseUrl ?? ADDRESS,
      fetch: exchange.fetch,
      maxRetries: 0,
      logLevel: 'off',
    })
    const answer: unknown = await client.messages.create(
      {
        model,
        max_tokens: ANSWER_TOKENS,
        system: rules,
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'image',
                source: { type: 'base64', media_type: picture.mediaType, data: picture.base64 },
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
  const { content } = answer as { content: unknown[] }
  return content
    .map((block) => (block as { text?: unknown }).text)
    .filter((text) => typeof text === 'string')
    .join('\n')
}
