import type { NameSuggestion, Naming, PictureToName } from '../ports.ts'
import { NAMING_LIMITS, type NamingConfig, type NamingDeps } from './config.ts'
import { createModelNamer, type ModelNamer } from './model-namer.io.ts'
import { slugOf } from './slug.ts'
import { createTextNamer, type TextNamer } from './text-namer.io.ts'
import { createTextReader } from './text-reader.io.ts'

type Suggested = NameSuggestion | { readonly note: string }

const OFF = { note: 'Naming is switched off.' }
const STOPPED = { note: 'The search for a name was stopped.' }
const NOT_READ = { note: 'Text in pictures is not read here.' }
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
      ? (picture: PictureToName, signal: AbortSignal) => suggestHere(byText, picture, signal)
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
        deps.log.error({ err: error }, 'naming failed')
        return BROKEN
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await reader[Symbol.asyncDispose]()
    },
  }
}

/** On this machine: the title says what the picture was wanted for, and better than any text that happens to be in it. */
async function suggestHere(
  byText: TextNamer | undefined,
  picture: PictureToName,
  signal: AbortSignal,
): Promise<Suggested> {
  const byTitle = picture.title === undefined ? undefined : slugOf(picture.title)
  if (byTitle !== undefined) return { name: byTitle, by: 'title' }
  if (byText === undefined) return NOT_READ
  const outcome = await byText(picture, signal)
  return 'name' in outcome ? { name: outcome.name, by: 'text' } : outcome
}

function searchWithModel(byModel: ModelNamer, byText: TextNamer | undefined, { log }: NamingDeps) {
  return async (picture: PictureToName, signal: AbortSignal): Promise<Suggested> => {
    const outcome = await byModel(picture, signal)
    if ('name' in outcome) return { name: outcome.name, by: 'model' }
    log.warn({ status: outcome.status, reason: outcome.note }, 'model returned no name')
    const instead = await suggestHere(byText, picture, signal)
    if ('name' in instead) return instead
    return { note: byText === undefined ? outcome.note : `${outcome.note} ${instead.note}` }
  }
}
