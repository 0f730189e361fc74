import type { AskModel } from './ask-model.io.ts'
import type { ModelConfig } from './config.ts'

/** The libraries take tens of megabytes: each is loaded when its provider is asked for the first time. */
export async function loadProvider(config: ModelConfig): Promise<AskModel> {
  switch (config.provider) {
    case 'anthropic':
      return (await import('./anthropic.io.ts')).createAnthropicModel(config)
    case 'openai':
      return (await import('./openai.io.ts')).createOpenAiModel(config)
    default:
      throw new Error(`unknown provider ${String(config.provider)}`)
  }
}
