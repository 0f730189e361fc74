import { autocompletion, type CompletionContext, type CompletionSource } from '@codemirror/autocomplete'
import { linter, lintKeymap } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import { type EditorView, hoverTooltip, keymap } from '@codemirror/view'
import type { HelpLine } from './help-line.ts'
import { HELP_LIMITS, type HelpHover } from './messages.ts'

/** After the last key. */
const DIAGNOSE_AFTER_MS = 500

/** What an editor shows of what a worker knows: marks, completions, and what is under the pointer. */
export function helpExtension(line: HelpLine, path: string): Extension {
  const about = ({ state }: Pick<EditorView, 'state'>) => ({ path, text: state.doc.toString() })
  const isShort = ({ state }: Pick<EditorView, 'state'>) => state.doc.length <= HELP_LIMITS.characters

  const complete: CompletionSource = async (context: CompletionContext) => {
    if (!isShort(context)) return null
    const question = { offset: context.pos, isExplicit: context.explicit }
    const found = await line.ask('complete', about(context), question)
    if (found === undefined || found === null || context.aborted) return null
    return {
      from: found.from,
      ...(found.to === undefined ? {} : { to: found.to }),
      validFor: /^["\w$]*$/,
      options: found.options.map((option) => ({
        ...option,
        async info() {
          const asked = { offset: context.pos, label: option.label }
          const described = await line.ask('describe', about(context), asked)
          return described === undefined || described === null ? null : drawn(described)
        },
      })),
    }
  }

  return [
    linter(
      async (view) => {
        if (!isShort(view)) return []
        const { length } = view.state.doc
        const found = await line.ask('diagnose', about(view), {})
        return (found ?? []).map(({ from, to, severity, message }) => ({
          from: Math.min(from, length),
          to: Math.min(Math.max(from, to), length),
          severity,
          message,
        }))
      },
      { delay: DIAGNOSE_AFTER_MS },
    ),
    keymap.of(lintKeymap),
    autocompletion({ override: [complete] }),
    hoverTooltip(async (view, offset) => {
      if (!isShort(view)) return null
      const found = await line.ask('hover', about(view), { offset })
      if (found === undefined || found === null) return null
      return { pos: found.from, end: found.to, above: true, create: () => ({ dom: drawn(found) }) }
    }),
  ]
}

/** As text alone: what a file or a schema says is never markup here. */
function drawn({ code, text }: HelpHover): HTMLElement {
  const dom = document.createElement('div')
  dom.className = 'cm-help'
  for (const [name, words] of [
    ['code', code],
    ['p', text],
  ] as const) {
    if (words === undefined || words === '') continue
    const part = document.createElement(name)
    part.textContent = words
    dom.append(part)
  }
  return dom
}
