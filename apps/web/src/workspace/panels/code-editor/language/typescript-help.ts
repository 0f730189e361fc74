import ts from 'typescript-6'
import { resolvePath } from '../../parts/resolve-path.ts'
import { HELP_LIMITS, type HelpCompletion, type HelpDiagnostic } from './messages.ts'
import type { Handlers, ReadFile } from './serve-help.ts'

const ENDINGS = ['.ts', '.tsx', '.d.ts', '.js', '.jsx', '.mjs', '/index.ts', '/index.js']
/** `./x.js` in TypeScript means `x.ts` beside it. */
const COMPILED: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
}

/** The files of the workspace that an import may mean, the likeliest first. None for packages. */
export function importCandidates(from: string, imported: string): string[] {
  if (!/^\.{1,2}\//.test(imported)) return []
  const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/')) : ''
  const path = resolvePath(folder, imported)
  if (path === undefined) return []
  const [ending = ''] = /\.[^./]+$/.exec(path) ?? []
  const compiled = (COMPILED[ending] ?? []).map((other) => path.slice(0, -ending.length) + other)
  const named = ending === '' ? [] : [path]
  return [...compiled, ...named, ...ENDINGS.map((each) => path + each)]
}

/** What the script runner gives to scripts besides the language and the browser. */
const SCRIPT_GLOBALS = `
/** The files of the workspace, in the script runner. Paths begin in the folder of the script. */
declare const files: {
  /** The text of a file. */
  read(path: string): Promise<string>
  /** The bytes of a file. */
  bytes(path: string): Promise<Uint8Array>
  /** Names in a folder; those of folders end with a slash. */
  list(folder?: string): Promise<string[]>
}
`

/** The declarations of the language and of browsers, as TypeScript brings them. */
const LIBRARIES = new Map(
  Object.entries(
    import.meta.glob<string>(
      [
        '../../../../../node_modules/typescript-6/lib/lib.es*.d.ts',
        '../../../../../node_modules/typescript-6/lib/lib.dom*.d.ts',
        '../../../../../node_modules/typescript-6/lib/lib.decorators*.d.ts',
        '!**/*.full.d.ts',
      ],
      { query: '?raw', import: 'default', eager: true },
    ),
  ).map(([path, text]) => [`/lib/${path.slice(path.lastIndexOf('/') + 1)}`, text]),
)
const GLOBALS_PATH = '/lib/patchbay.d.ts'
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  // Scripts of one folder have nothing to do with each other, and may await at their top.
  moduleDetection: ts.ModuleDetectionKind.Force,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  jsx: ts.JsxEmit.Preserve,
  strict: true,
  allowJs: true,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
}
/** A package that is not here, React's among them; last, a `return` at the top, which the script runner allows. */
const HIDDEN_CODES = new Set([2307, 2792, 2882, 7016, 2875, 7026, 1108])
const MOST_SIGNS_OF_DOCS = 2_000

/** TypeScript's own language service over the file that is open and what it imports. */
export function typescriptHelp(readFile: ReadFile): Handlers {
  /** By path, with a slash before it. */
  const files = new Map<string, { version: number; text: string }>()
  const missing = new Set<string>()
  let versions = 0
  let current = ''

  const service = ts.createLanguageService({
    getCompilationSettings: () => OPTIONS,
    getScriptFileNames: () => [current, GLOBALS_PATH],
    getScriptVersion: (path) => String(files.get(path)?.version ?? 0),
    getScriptSnapshot(path) {
      const text = textOf(path)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => '/',
    getDefaultLibFileName: () => '/lib/lib.es2024.d.ts',
    fileExists: (path) => textOf(path) !== undefined,
    readFile: (path) => textOf(path),
    directoryExists: () => true,
    getDirectories: () => [],
  })

  function textOf(path: string): string | undefined {
    if (path === GLOBALS_PATH) return SCRIPT_GLOBALS
    return LIBRARIES.get(path) ?? files.get(path)?.text
  }

  function put(path: string, text: string): void {
    if (files.get(path)?.text === text) return
    versions += 1
    files.set(path, { version: versions, text })
  }

  /** Fetches what a file imports, and what that imports, before anything is asked about it. */
  async function open({ path, text }: { readonly path: string; readonly text: string }): Promise<string> {
    current = `/${path}`
    put(current, text)
    const queue = [current]
    const seen = new Set(queue)
    for (let from = queue.shift(); from !== undefined; from = queue.shift()) {
      for (const { fileName } of ts.preProcessFile(textOf(from) ?? '', true, true).importedFiles) {
        const candidates = importCandidates(from.slice(1), fileName)
        const found = candidates.find((each) => files.has(`/${each}`)) ?? (await fetchOne(candidates))
        if (found === undefined || seen.has(`/${found}`)) continue
        seen.add(`/${found}`)
        queue.push(`/${found}`)
      }
    }
    return current
  }

  async function fetchOne(candidates: readonly string[]): Promise<string | undefined> {
    const unknown = candidates.filter((each) => !missing.has(each))
    if (unknown.length === 0) return undefined
    const file = await readFile(unknown)
    if (file !== undefined) put(`/${file.path}`, file.text)
    else for (const each of unknown) missing.add(each)
    return file?.path
  }

  return {
    forget() {
      files.clear()
      missing.clear()
    },
    async diagnose(asked) {
      const path = await open(asked)
      const found = [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)]
      return found
        .filter(({ code }) => !HIDDEN_CODES.has(code))
        .slice(0, HELP_LIMITS.diagnostics)
        .map(
          (each): HelpDiagnostic => ({
            from: each.start ?? 0,
            to: (each.start ?? 0) + (each.length ?? 0),
            severity: SEVERITIES[each.category],
            message: ts.flattenDiagnosticMessageText(each.messageText, '\n'),
          }),
        )
    },
    async complete(asked) {
      const { text, offset, isExplicit } = asked
      const word = /[\w$]*$/.exec(text.slice(Math.max(0, offset - 100), offset))?.[0] ?? ''
      const isMember = text[offset - word.length - 1] === '.'
      if (word === '' && !isMember && !isExplicit) return null
      const path = await open(asked)
      const found = service.getCompletionsAtPosition(path, offset, {})
      if (found === undefined) return null
      const options = found.entries
        // Words that stand somewhere in a script are no names of anything.
        .filter(({ kind }) => kind !== ts.ScriptElementKind.warning)
        .filter(({ name }) => name.toLowerCase().startsWith(word.slice(0, 1).toLowerCase()))
        .slice(0, HELP_LIMITS.completions)
        .map(
          ({ name, kind, sortText, insertText }): HelpCompletion => ({
            label: name,
            type: KINDS[kind] ?? 'variable',
            ...(insertText === undefined ? {} : { apply: insertText }),
            // What is near comes first, what is everywhere last.
            boost: 15 - Math.min(30, Number.parseInt(sortText, 10) || 15),
          }),
        )
      return { from: offset - word.length, options }
    },
    async describe(asked) {
      const path = await open(asked)
      const { offset, label } = asked
      const found = service.getCompletionEntryDetails(path, offset, label, {}, undefined, {}, undefined)
      if (found === undefined) return null
      return { from: offset, to: offset, ...wordsOf(found.displayParts, found.documentation) }
    },
    async hover(asked) {
      const path = await open(asked)
      const found = service.getQuickInfoAtPosition(path, asked.offset)
      if (found === undefined) return null
      const { start, length } = found.textSpan
      return { from: start, to: start + length, ...wordsOf(found.displayParts, found.documentation) }
    },
  }
}

const SEVERITIES = {
  [ts.DiagnosticCategory.Error]: 'error',
  [ts.DiagnosticCategory.Warning]: 'warning',
  [ts.DiagnosticCategory.Message]: 'info',
  [ts.DiagnosticCategory.Suggestion]: 'info',
} as const

const KINDS: Readonly<Record<string, string>> = {
  [ts.ScriptElementKind.functionElement]: 'function',
  [ts.ScriptElementKind.localFunctionElement]: 'function',
  [ts.ScriptElementKind.memberFunctionElement]: 'method',
  [ts.ScriptElementKind.memberVariableElement]: 'property',
  [ts.ScriptElementKind.memberGetAccessorElement]: 'property',
  [ts.ScriptElementKind.memberSetAccessorElement]: 'property',
  [ts.ScriptElementKind.classElement]: 'class',
  [ts.ScriptElementKind.interfaceElement]: 'interface',
  [ts.ScriptElementKind.typeElement]: 'type',
  [ts.ScriptElementKind.enumElement]: 'enum',
  [ts.ScriptElementKind.moduleElement]: 'namespace',
  [ts.ScriptElementKind.constElement]: 'constant',
  [ts.ScriptElementKind.keyword]: 'keyword',
}

function wordsOf(code: ts.SymbolDisplayPart[] | undefined, docs: ts.SymbolDisplayPart[] | undefined) {
  const text = ts.displayPartsToString(docs).slice(0, MOST_SIGNS_OF_DOCS)
  return {
    code: ts.displayPartsToString(code).slice(0, MOST_SIGNS_OF_DOCS),
    ...(text === '' ? {} : { text }),
  }
}
