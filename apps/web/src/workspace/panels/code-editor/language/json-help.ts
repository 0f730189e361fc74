import {
  type CompletionItem,
  CompletionItemKind,
  DiagnosticSeverity,
  getLanguageService,
  type LanguageService,
  MarkedString,
  type MarkupContent,
  TextDocument,
} from 'vscode-json-languageservice'
import { HELP_LIMITS, type HelpCompletion } from './messages.ts'
import type { Handlers, ReadFile } from './serve-help.ts'

/** Schemas of this installation, by the names of the files that they are for. */
const WELL_KNOWN: Readonly<Record<string, string>> = {
  'metadata.json': 'schema:package.json',
  'packages.json': 'schema:packages.json',
  'repository.json': 'schema:repository.json',
}

const PUBLISHED = /\/registry\/schemas\/v1(?:\/(package|packages|repository))?\.json$/

/**
 * What a schema is read from: a file of the workspace, or one that this installation publishes. `undefined`: an address of
 * the web, which nobody asks.
 */
function schemaPath(uri: string, root: string): string | undefined {
  if (uri.startsWith('schema:')) return uri
  if (uri.startsWith(root)) return decodeURIComponent(uri.slice(root.length).replace(/[?#].*$/, ''))
  const published = PUBLISHED.exec(URL.canParse(uri) ? new URL(uri).pathname : '')
  return published === null ? undefined : `schema:${published[1] ?? 'package'}.json`
}

const ROOT = 'file:///'
/** Written by tools that allow comments in them. */
const WITH_COMMENTS = /(?:^|\/)(?:(?:js|ts)config(?:\.[^/]*)?|settings|launch|tasks)\.json$/

function makeService(readFile: ReadFile): LanguageService {
  const service = getLanguageService({
    workspaceContext: {
      resolveRelativePath: (path, from) => new URL(path, from).href,
    },
    async schemaRequestService(uri) {
      const path = schemaPath(uri, ROOT)
      // A schema of the web is not fetched: an empty one asks for nothing.
      if (path === undefined) return '{}'
      const file = await readFile([path])
      if (file === undefined) throw new Error(`There is no ${path}.`)
      return file.text
    },
  })
  service.configure({
    validate: true,
    allowComments: false,
    schemas: Object.entries(WELL_KNOWN).map(([name, uri]) => ({ uri, fileMatch: [name] })),
  })
  return service
}

/** Syntax, and what schemas of this installation or of the workspace say. */
export function jsonHelp(readFile: ReadFile): Handlers {
  let service = makeService(readFile)

  function parse({ path, text }: { readonly path: string; readonly text: string }) {
    const uri = ROOT + path.split('/').map(encodeURIComponent).join('/')
    const document = TextDocument.create(uri, 'json', 1, text)
    return { document, parsed: service.parseJSONDocument(document) }
  }

  return {
    forget() {
      service = makeService(readFile)
    },
    async diagnose(asked) {
      if (asked.text.trim() === '') return []
      const { document, parsed } = parse(asked)
      const comments = WITH_COMMENTS.test(asked.path) ? 'ignore' : 'error'
      const found = await service.doValidation(document, parsed, {
        comments,
        trailingCommas: comments,
        schemaValidation: 'warning',
        schemaRequest: 'warning',
      })
      return found.slice(0, HELP_LIMITS.diagnostics).map(({ range, message, severity }) => ({
        from: document.offsetAt(range.start),
        to: document.offsetAt(range.end),
        severity: severity === DiagnosticSeverity.Error ? ('error' as const) : ('warning' as const),
        message: typeof message === 'string' ? message : message.value,
      }))
    },
    async complete(asked) {
      const { document, parsed } = parse(asked)
      const found = await service.doComplete(document, document.positionAt(asked.offset), parsed)
      const [first] = found?.items ?? []
      if (found === null || first === undefined) return null
      const range = rangeOf(first)
      return {
        from: range === undefined ? asked.offset : document.offsetAt(range.start),
        ...(range === undefined ? {} : { to: Math.max(asked.offset, document.offsetAt(range.end)) }),
        options: found.items.slice(0, HELP_LIMITS.completions).map(completionOf),
      }
    },
    describe: () => null,
    async hover(asked) {
      const { document, parsed } = parse(asked)
      const found = await service.doHover(document, document.positionAt(asked.offset), parsed)
      const text = found === null ? '' : textOf(found.contents)
      if (found?.range === undefined || text === '') return null
      const { start, end } = found.range
      return { from: document.offsetAt(start), to: document.offsetAt(end), text }
    },
  }
}

function rangeOf({ textEdit }: CompletionItem) {
  if (textEdit === undefined) return undefined
  return 'range' in textEdit ? textEdit.range : textEdit.insert
}

function completionOf(item: CompletionItem): HelpCompletion {
  const { label, kind, detail, filterText, textEdit, insertText } = item
  return {
    label: filterText ?? label,
    displayLabel: label,
    type: kind === CompletionItemKind.Property ? 'property' : 'constant',
    ...(detail === undefined ? {} : { detail }),
    apply: withoutPlaceholders(textEdit?.newText ?? insertText ?? label),
  }
}

/** What a snippet would ask for is left out: `${1:name}` becomes `name`, and `$1` nothing. */
function withoutPlaceholders(snippet: string): string {
  return snippet
    .replaceAll(/\$\{\d+:?((?:\\.|[^}\\])*)\}/g, '$1')
    .replaceAll(/\$\d+/g, '')
    .replaceAll(/\\([$}\\])/g, '$1')
}

/** As plain text: what a schema says is shown, and never taken for markup. */
function textOf(contents: MarkupContent | MarkedString | MarkedString[]): string {
  const all = Array.isArray(contents) ? contents : [contents]
  return all
    .map((each) => (MarkedString.is(each) && typeof each === 'string' ? each : each.value))
    .join('\n\n')
    .replaceAll(/\\([\\`*_{}[\]()#+\-.!<>])/g, '$1')
    .trim()
}
