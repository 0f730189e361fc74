import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import {
  type Annotation,
  Compartment,
  EditorSelection,
  EditorState,
  type Extension,
  Transaction,
} from '@codemirror/state'
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { editorTheme } from './editor-theme.ts'
import { smallestChange } from './smallest-change.ts'

export interface EditorOptions {
  readonly text: string
  readonly label: string
  readonly describedBy: string
  readonly isReadOnly: boolean
  readonly onEdit: () => void
  readonly onLeave: () => void
  /** Control or command with Enter. */
  readonly onRun?: () => void
}

export interface Editor {
  text(): string
  /** Another text, with the cursor as near to where it was as it allows. Undo brings the old one back. */
  replace(text: string): void
  /** The same for what somebody else wrote, which is not this person's to undo. */
  follow(text: string): void
  setLanguage(language: Extension): void
  /** Suggestions for what is written. */
  setHelp(help: Extension): void
  setLabel(label: string): void
  setReadOnly(isReadOnly: boolean): void
  /** Selects a part of a line, or as much of it as is still there, and shows it in the middle. */
  show(place: { readonly line: number; readonly from: number; readonly to: number }): void
  focus(): void
  destroy(): void
}

const languages = new Compartment()
const helps = new Compartment()
const labels = new Compartment()
const rights = new Compartment()

/**
 * An editor in a shadow root: there its styles are constructed sheets. In the page they would be style elements,
 * which the Content-Security-Policy forbids.
 */
export function makeEditor(element: HTMLElement, options: EditorOptions): Editor {
  return editorOf(
    makeView(element, EditorState.create({ doc: options.text, extensions: extensionsFor(options) })),
  )
}

export function makeView(element: HTMLElement, state: EditorState): EditorView {
  const root = element.shadowRoot ?? element.attachShadow({ mode: 'open', delegatesFocus: true })
  return new EditorView({ parent: root, root, state })
}

export function editorOf(view: EditorView): Editor {
  return {
    text: () => view.state.doc.toString(),
    replace: (text) => show(view, text),
    follow: (text) => show(view, text, [Transaction.addToHistory.of(false), Transaction.remote.of(true)]),
    setLanguage: (language) => view.dispatch({ effects: languages.reconfigure(language) }),
    setHelp(help) {
      // What still runs for a view that is gone would look for what its state has no longer.
      if (view.dom.isConnected) view.dispatch({ effects: helps.reconfigure(help) })
    },
    setLabel: (label) => view.dispatch({ effects: labels.reconfigure(labeled(label)) }),
    setReadOnly: (isReadOnly) =>
      view.dispatch({ effects: rights.reconfigure(EditorState.readOnly.of(isReadOnly)) }),
    show({ line: number, from, to }) {
      const line = view.state.doc.line(Math.min(number, view.state.doc.lines))
      const selection = EditorSelection.range(
        line.from + Math.min(from, line.length),
        line.from + Math.min(to, line.length),
      )
      view.dispatch({ selection, effects: EditorView.scrollIntoView(selection, { y: 'center' }) })
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  }
}

const labeled = (label: string) => EditorView.contentAttributes.of({ 'aria-label': label })

function show(view: EditorView, text: string, annotations: Annotation<unknown>[] = []): void {
  const changes = smallestChange(view.state.doc.toString(), text)
  if (changes !== undefined) view.dispatch({ changes, annotations })
}

export function extensionsFor({
  label,
  describedBy,
  isReadOnly,
  onEdit,
  onLeave,
  onRun,
}: Omit<EditorOptions, 'text'>): Extension {
  const run = onRun === undefined ? [] : [{ key: 'Mod-Enter', run: () => (onRun(), true) }]
  return [
    keymap.of([
      ...run,
      ...closeBracketsKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    dropCursor(),
    EditorState.allowMultipleSelections.of(true),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    editorTheme,
    languages.of([]),
    helps.of([]),
    rights.of(EditorState.readOnly.of(isReadOnly)),
    labels.of(labeled(label)),
    EditorView.contentAttributes.of({ 'aria-description': describedBy, tabindex: '0' }),
    EditorView.updateListener.of((update) => {
      const isOwn = update.transactions.some((step) => step.annotation(Transaction.remote) !== true)
      if (update.docChanged && isOwn) onEdit()
    }),
    EditorView.domEventHandlers({ blur: () => onLeave(), beforeinput: typeOverSelection }),
  ]
}

/**
 * Left to itself, Chromium gives what is typed over a selection the look of what was there, as an inline style: the
 * policy forbids that, and the console would fill with violations.
 */
function typeOverSelection(event: InputEvent, view: EditorView): boolean {
  const { inputType, data, isComposing } = event
  const { from, to, empty } = view.state.selection.main
  if (inputType !== 'insertText' || data === null || isComposing || empty || view.state.readOnly) return false
  const type = () =>
    view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
  const isTaken = view.state.facet(EditorView.inputHandler).some((take) => take(view, from, to, data, type))
  if (!isTaken) view.dispatch(type())
  event.preventDefault()
  return true
}
