import { ChangeSet, Text } from '@codemirror/state'
import {
  applyChange,
  type Document,
  parse,
  type Refusal,
  readSchematic,
  type SchematicChange,
  type TextEdit,
  textEdits,
  write,
} from '@patchbay/kicad-format'
import { revert } from './revert.ts'

/** One step of a person: what one undo takes back. */
interface Step {
  readonly apply: (document: Document) => Document | undefined
  before: Document
  after: Document
}

export interface ForeignEdit {
  readonly clientId: string
  readonly changes: unknown
}

const MOST_UNDONE = 200

/**
 * A sheet that several people edit: what the server has, and on top of it the steps of this page that it does not have
 * yet. When something else came first, the steps are made again on what there is then. Knows no network.
 */
export class SharedSheet {
  readonly #clientId: string
  #text: Text
  /** What the server has; `undefined` while its text is no schematic. */
  #base: Document | undefined
  /** The last one that could be read: what is shown meanwhile. */
  #shown: Document
  #waiting: Step[] = []
  /** How many of the waiting steps were sent on this version. */
  #sent = 0
  #undo: Step[] = []
  #redo: Step[] = []
  #version: number

  /** Throws `KicadSyntaxError`, or says `undefined` for what is no schematic. */
  static open(text: string, version: number, clientId: string): SharedSheet | undefined {
    const document = parse(text)
    return readSchematic(document) === undefined
      ? undefined
      : new SharedSheet(text, document, version, clientId)
  }

  private constructor(text: string, document: Document, version: number, clientId: string) {
    this.#text = Text.of(text.split('\n'))
    this.#base = document
    this.#shown = document
    this.#version = version
    this.#clientId = clientId
  }

  get document(): Document {
    return this.#shown
  }

  get version(): number {
    return this.#version
  }

  /** Whether what the server has can be read. While it cannot, nothing is changed here. */
  get isReadable(): boolean {
    return this.#base !== undefined
  }

  get isSent(): boolean {
    return this.#waiting.length === 0
  }

  get mayUndo(): boolean {
    return this.#undo.length > 0
  }

  get mayRedo(): boolean {
    return this.#redo.length > 0
  }

  /** Makes all of it, as one step, or nothing. */
  change(changes: readonly SchematicChange[]): Refusal | undefined {
    let refused: Refusal | undefined
    const apply = (document: Document): Document | undefined => {
      let now = document
      for (const change of changes) {
        const outcome = applyChange(now, change)
        if (outcome.refused !== undefined) {
          refused = outcome.refused
          return undefined
        }
        now = outcome.document
      }
      return now
    }
    const step = this.#make(apply)
    if (step === undefined) return refused
    this.#undo = [...this.#undo, step].slice(-MOST_UNDONE)
    this.#redo = []
    return undefined
  }

  /** Takes back the last step of this page. Says `false` where somebody has changed the same since; it is forgotten then. */
  undo(): boolean {
    const step = this.#undo.pop()
    if (step === undefined) return true
    const undone = this.#make((document) => revert(document, step.after, step.before))
    if (undone === undefined) return false
    this.#redo.push(step)
    return true
  }

  redo(): boolean {
    const step = this.#redo.pop()
    if (step === undefined) return true
    const done = this.#make((document) => revert(document, step.before, step.after))
    if (done === undefined) return false
    this.#undo.push(step)
    return true
  }

  #make(apply: Step['apply']): Step | undefined {
    if (this.#base === undefined) return undefined
    const before = this.#shown
    const after = apply(before)
    if (after === undefined) return undefined
    const step: Step = { apply, before, after }
    if (after !== before) {
      this.#waiting.push(step)
      this.#shown = after
    }
    return step
  }

  /** What to send on the version that is known, if nothing is on its way. */
  take(most: number): readonly unknown[] {
    if (this.#sent > 0 || this.#base === undefined) return []
    const steps = this.#waiting.slice(0, most)
    this.#sent = steps.length
    let length = this.#text.length
    return steps.map(({ before, after }) => {
      const edits = changeSetOf(before, after)
      if (edits.length !== length) throw new Error('a step does not fit the one before it')
      length = edits.newLength
      return edits.toJSON() as unknown
    })
  }

  /** It was not taken: it is sent again, once what came first is known. */
  refused(): void {
    this.#sent = 0
  }

  /**
   * What the server has taken, in its order. Answers how many steps of this page cannot be made anymore, because of what
   * somebody else did.
   */
  receive(edits: readonly ForeignEdit[]): number {
    let isForeign = false
    for (const { clientId, changes } of edits) {
      this.#text = ChangeSet.fromJSON(changes).apply(this.#text)
      this.#version += 1
      const own = clientId === this.#clientId && !isForeign ? this.#waiting.shift() : undefined
      if (own === undefined) isForeign = true
      else {
        this.#base = own.after
        this.#sent = Math.max(0, this.#sent - 1)
      }
    }
    return isForeign ? this.#rebase() : 0
  }

  /** Begins at what the server has now, after edits were missed. What was on its way may be in it, and is not sent again. */
  restart(text: string, version: number): number {
    const lost = this.#sent
    this.#waiting = this.#waiting.slice(lost)
    this.#text = Text.of(text.split('\n'))
    this.#version = version
    return lost + this.#rebase()
  }

  #rebase(): number {
    this.#sent = 0
    this.#base = readable(this.#text.toString())
    // Until it can be read again everything waits, as it was made.
    if (this.#base === undefined) return 0
    let now = this.#base
    let dropped = 0
    const kept: Step[] = []
    for (const step of this.#waiting) {
      const after = step.apply(now)
      if (after === undefined) {
        dropped += 1
        this.#undo = this.#undo.filter((one) => one !== step)
        continue
      }
      step.before = now
      step.after = after
      if (after === now) continue
      kept.push(step)
      now = after
    }
    this.#waiting = kept
    this.#shown = now
    return dropped
  }
}

function readable(text: string): Document | undefined {
  try {
    const document = parse(text)
    return readSchematic(document) === undefined ? undefined : document
  } catch {
    return undefined
  }
}

/** What leads from one document to another, as the server takes it. */
export function changeSetOf(before: Document, after: Document): ChangeSet {
  const text = write(before)
  return ChangeSet.of(
    textEdits(before, after).map((edit) => wholeCharacters(text, edit)),
    text.length,
    '\n',
  )
}

const isLow = (text: string, at: number) => /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1))

/** A character of two halves is replaced as a whole: half of one could not be sent. */
function wholeCharacters(text: string, { at, length, text: insert }: TextEdit) {
  const isCutBefore = isLow(text, at) || isLow(insert, 0)
  const end = at + length
  const isCutAfter = isLow(text, end)
  const from = isCutBefore ? at - 1 : at
  const to = isCutAfter ? end + 1 : end
  return { from, to, insert: text.slice(from, at) + insert + text.slice(end, to) }
}
