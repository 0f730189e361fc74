import type { Naming, NameSuggestion, PictureToName } from '../ports.ts'
import { NAMING_LIMITS, type NamingConfig, type NamingDeps } from './config.ts'
import { createModelNamer, type ModelNamer } from './model-namer.store.ts'
import { createTextNamer, type TextNamer } from './text-namer.store.ts'
import { createTextReader } from './text-reader.store.ts'

type Suggested = NameSuggestion | { readonly note: string }

const OFF = { note: 'Naming is switched off.' }
const STOPPED = { note: 'The search for a name was stopped.' }
const BROKEN = { note: 'The search for a name failed.' }

/** Who looks for names, as configured. Nothing leaves this machine unless a model elsewhere is. */
export function createNaming(config: NamingConfig, deps: NamingDeps): Naming {
  if (config.kind === 'off') {
    return { kind: 'off', suggest: async () => OFF, [Symbol.asyncDispose]: async () => {} }
  }
  const limits = { ...NAMING_LIMITS, ...deps.limits }
  const closing = new AbortController()
  const reader = createTextReader(limits)
  const byText = createTextNamer(reader, limits)
  const search =
    config.kind === 'text'
      ? (picture: PictureToName, signal: AbortSignal) => suggestByText(byText, picture, signal)
      : searchWithModel(
          createModelNamer(config, limits),
          config.fallback === 'off' ? undefined : byText,
          deps,
        )
  return {
    kind: config.kind,
    async suggest(picture, signal) {
      const ended = AbortSignal.any([signal, closing.signal])
      try {
        return await search(picture, ended)
      } catch (error) {
        if (ended.aborted) return STOPPED
        deps.log.error({ err: error }, 'looking for a name failed')
        return BROKEN
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await reader[Symbol.asyncDispose]()
    },
  }
}

async function suggestByText(
  byText: TextNamer,
  picture: PictureToName,
  signal: AbortSignal,
): Promise<Suggested> {
  const outcome = await byText(picture, signal)
  return 'name' in outcome ? { name: outcome.name, by: 'text' } : outcome
}

function searchWithModel(byModel: ModelNamer, byText: TextNamer | undefined, { log }: NamingDeps) {
  return async (picture: PictureToName, signal: AbortSignal): Promise<Suggested> => {
    const outcome = await byModel(picture, signal)
    if ('name' in outcome) return { name: outcome.name, by: 'model' }
    log.warn({ status: outcome.status, reason: outcome.note }, 'the model gave no name')
    if (byText === undefined) return { note: outcome.note }
    const instead = await suggestByText(byText, picture, signal)
    return 'name' in instead ? instead : { note: `${outcome.note} ${instead.note}` }
  }
}
