import type { EDITOR_LANGUAGES } from '@patchbay/contracts'
import type { Extension } from '@codemirror/state'

export type EditorLanguage = (typeof EDITOR_LANGUAGES)[number]

export const LANGUAGE_NAMES: Readonly<Record<EditorLanguage, string>> = {
  text: 'Plain text',
  javascript: 'JavaScript',
  json: 'JSON',
  python: 'Python',
}

const BY_ENDING: Readonly<Record<string, EditorLanguage>> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'javascript',
  tsx: 'javascript',
  json: 'json',
  gltf: 'json',
  py: 'python',
  pyi: 'python',
}

/** The chosen language, or the one that the file's name speaks of. */
export function languageOf(chosen: EditorLanguage | undefined, fileName: string): EditorLanguage {
  if (chosen !== undefined) return chosen
  const ending = /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''
  return BY_ENDING[ending] ?? 'text'
}

/** Fetched when first used: most editors need one of them. */
export const LANGUAGES: Readonly<Record<EditorLanguage, () => Promise<Extension>>> = {
  text: async () => [],
  javascript: async () =>
    (await import('@codemirror/lang-javascript')).javascript({ jsx: true, typescript: true }),
  json: async () => (await import('@codemirror/lang-json')).json(),
  python: async () => (await import('@codemirror/lang-python')).python(),
}
