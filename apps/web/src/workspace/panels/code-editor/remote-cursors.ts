import { type Extension, type Range, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import type { DocumentCursor } from '@patchbay/contracts/content'
import { PERSON_COLORS, personColor } from '@patchbay/contracts/panels'

/** Where the others are. */
export const showCursors = StateEffect.define<readonly DocumentCursor[]>()

class Caret extends WidgetType {
  readonly #name: string
  readonly #color: number

  constructor(name: string, color: number) {
    super()
    this.#name = name
    this.#color = color
  }

  override eq(other: Caret): boolean {
    return other.#name === this.#name && other.#color === this.#color
  }

  toDOM(): HTMLElement {
    const caret = document.createElement('span')
    caret.className = `pb-caret pb-person-${this.#color}`
    // Read with the text it would break every word; who is there is told beside the editor.
    caret.ariaHidden = 'true'
    caret.dataset['name'] = this.#name
    return caret
  }

  override ignoreEvent(): boolean {
    return true
  }
}

function decorate(cursors: readonly DocumentCursor[], length: number): DecorationSet {
  const ranges = cursors.flatMap(({ handle, name, anchor, head }): Range<Decoration>[] => {
    const color = personColor(handle)
    const [from, to] = [Math.min(anchor, head, length), Math.min(Math.max(anchor, head), length)]
    const at = Math.min(head, length)
    const caret = Decoration.widget({ widget: new Caret(name, color), side: 1 }).range(at)
    if (from === to) return [caret]
    return [Decoration.mark({ class: `pb-selection pb-person-${color}` }).range(from, to), caret]
  })
  return Decoration.set(ranges, true)
}

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    const told = transaction.effects.find((effect) => effect.is(showCursors))
    if (told !== undefined) return decorate(told.value, transaction.newDoc.length)
    return shown.map(transaction.changes)
  },
  provide: (shown) => EditorView.decorations.from(shown),
})

const colors = Array.from({ length: PERSON_COLORS }, (_, color) => [
  `.pb-person-${color}`,
  { '--person': `var(--person-${color})` },
])

const look = EditorView.theme({
  '.pb-caret': { position: 'relative', borderLeft: '2px solid var(--person)', marginInline: '-1px' },
  '.pb-caret::after': {
    content: 'attr(data-name)',
    position: 'absolute',
    insetInlineStart: '-2px',
    bottom: '100%',
    padding: '0 4px',
    borderRadius: '3px 3px 3px 0',
    font: '600 10px/14px var(--font-sans)',
    color: 'var(--surface)',
    backgroundColor: 'var(--person)',
    whiteSpace: 'nowrap',
    pointerEvents: 'none',
    zIndex: '5',
  },
  // Above the first line there is no room for it.
  '.cm-line:first-child .pb-caret::after': { bottom: 'auto', top: '100%', borderRadius: '0 3px 3px 3px' },
  '.pb-selection': { backgroundColor: 'color-mix(in oklab, var(--person) 24%, transparent)' },
  ...Object.fromEntries(colors),
})

export const remoteCursors: Extension = [field, look]
