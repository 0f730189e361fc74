import { EXIT } from '../account/ending.ts'
import { Refusal } from './refusal.ts'

/** `key=value` words of an option, as an object. */
export function pairsOf(option: string, texts: readonly string[] = []): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=')
      if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
      throw new Refusal(EXIT.usage, 'bad_option', `${option} takes key=value, not "${text}".`)
    }),
  )
}
