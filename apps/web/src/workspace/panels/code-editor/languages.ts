import { indentUnit, StreamLanguage } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import type { EDITOR_LANGUAGES } from '@patchbay/contracts/panels'
import { words } from './words.ts'

export type EditorLanguage = (typeof EDITOR_LANGUAGES)[number]

interface Language {
  /** Of file names. */
  readonly endings: readonly string[]
  /** Spaces of one step, as its own tools write it. */
  readonly indent: number
  /** Fetched when first used: most editors need one of them. */
  readonly load: () => Promise<Extension>
}

const LANGUAGES: Readonly<Record<EditorLanguage, Language>> = {
  text: { endings: [], indent: 2, load: async () => [] },
  c: {
    endings: ['c', 'h'],
    indent: 2,
    load: async () => (await import('@codemirror/lang-cpp')).cpp(),
  },
  cpp: {
    endings: ['cpp', 'cc', 'cxx', 'hpp', 'hh', 'hxx', 'ino'],
    indent: 2,
    load: async () => (await import('@codemirror/lang-cpp')).cpp(),
  },
  javascript: {
    endings: ['js', 'mjs', 'cjs', 'jsx', 'ts', 'tsx'],
    indent: 2,
    load: async () =>
      (await import('@codemirror/lang-javascript')).javascript({ jsx: true, typescript: true }),
  },
  json: {
    endings: ['json', 'gltf'],
    indent: 2,
    load: async () => (await import('@codemirror/lang-json')).json(),
  },
  markdown: {
    endings: ['md', 'markdown'],
    indent: 2,
    load: async () => (await import('@codemirror/lang-markdown')).markdown(),
  },
  python: {
    endings: ['py', 'pyi'],
    indent: 4,
    load: async () => (await import('@codemirror/lang-python')).python(),
  },
  rust: {
    endings: ['rs'],
    indent: 4,
    load: async () => (await import('@codemirror/lang-rust')).rust(),
  },
  toml: {
    endings: ['toml'],
    indent: 2,
    load: async () => StreamLanguage.define((await import('@codemirror/legacy-modes/mode/toml')).toml),
  },
  verilog: {
    endings: ['v', 'vh', 'sv', 'svh'],
    indent: 2,
    load: async () => StreamLanguage.define((await import('@codemirror/legacy-modes/mode/verilog')).verilog),
  },
  vhdl: {
    endings: ['vhd', 'vhdl'],
    indent: 2,
    load: async () => StreamLanguage.define((await import('@codemirror/legacy-modes/mode/vhdl')).vhdl),
  },
  xml: {
    endings: ['xml', 'svg'],
    indent: 2,
    load: async () => (await import('@codemirror/lang-xml')).xml(),
  },
  yaml: {
    endings: ['yaml', 'yml'],
    indent: 2,
    load: async () => (await import('@codemirror/lang-yaml')).yaml(),
  },
}

const BY_ENDING = new Map(
  Object.entries(LANGUAGES).flatMap(([id, { endings }]) =>
    endings.map((ending) => [ending, id as EditorLanguage] as const),
  ),
)

export function languageName(language: EditorLanguage): string {
  return words.languages[language]
}

/** The chosen language, or the one that the file's name speaks of. */
export function languageOf(chosen: EditorLanguage | undefined, fileName: string): EditorLanguage {
  if (chosen !== undefined) return chosen
  const ending = /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''
  return BY_ENDING.get(ending) ?? 'text'
}

export async function loadLanguage(language: EditorLanguage): Promise<Extension> {
  const { indent, load } = LANGUAGES[language]
  return [indentUnit.of(' '.repeat(indent)), await load()]
}
