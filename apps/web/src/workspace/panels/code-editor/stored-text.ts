import { EDITOR_TEXT_LENGTH, WORKSPACE_MESSAGE_BYTES } from '@patchbay/contracts/limits'

/** Room for the rest of the message that carries it. */
const ENVELOPE_BYTES = 4096

/** Editors have one kind of line end. */
export function withPlainLines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n')
}

export function isStorable(text: string): boolean {
  if (text.length > EDITOR_TEXT_LENGTH) return false
  // As JSON over the socket a character takes up to six bytes.
  if (text.length * 6 < WORKSPACE_MESSAGE_BYTES - ENVELOPE_BYTES) return true
  return new TextEncoder().encode(JSON.stringify(text)).length < WORKSPACE_MESSAGE_BYTES - ENVELOPE_BYTES
}

/** A text as the server has it. */
export interface ServerText {
  readonly text: string
  readonly revision: number
}

/** What to do after the server has told something: nothing, show its text, or ask, because this page has another. */
export type Arrival = 'known' | 'replace' | 'conflict'

/** Keeps apart what this page has stored and what somebody else has. */
export class StoredText {
  #server: ServerText
  /** What the text of this page was made on. */
  #base: ServerText
  /** Sent, and not answered yet. */
  #sent: readonly string[] = []
  #theirs: string | undefined
  #isOwn = false
  #replaced: string | undefined

  constructor(server: ServerText) {
    this.#server = server
    this.#base = server
  }

  /** The text of somebody else that this page has another for. While there is one, nothing is sent. */
  get theirs(): string | undefined {
    return this.#theirs
  }

  /** The text that was shown before the last `replace`, if it was written here. */
  get replaced(): string | undefined {
    return this.#replaced
  }

  /** The revision on which this text is to be sent; it counts as sent then. `undefined`: not to be sent. */
  send(text: string): number | undefined {
    if (this.#theirs !== undefined || text === (this.#sent.at(-1) ?? this.#base.text) || !isStorable(text))
      return undefined
    this.#sent = [...this.#sent, text]
    return this.#base.revision
  }

  arrive(server: ServerText, shown: string): Arrival {
    if (server.revision < this.#server.revision) return 'known'
    this.#server = server
    return this.#compare(shown)
  }

  /** What came of a text that was sent, and what the server has now. */
  answer(sent: string, isStored: boolean, server: ServerText, shown: string): Arrival {
    this.#sent = this.#sent.toSpliced(this.#sent.indexOf(sent), 1)
    if (isStored) {
      this.#base = { ...this.#base, text: sent }
      this.#isOwn = true
    }
    if (server.revision >= this.#server.revision) this.#server = server
    return this.#compare(shown)
  }

  /** The person has seen the server's text: what is sent from now on is made on it. */
  settle(): void {
    this.#base = this.#server
    this.#theirs = undefined
  }

  #compare(shown: string): Arrival {
    const { text } = this.#server
    if (this.#sent.includes(text) || text === this.#base.text || text === shown) {
      this.settle()
      return 'known'
    }
    // It may be made on what was sent: the answer tells.
    if (this.#sent.length > 0) return 'known'
    if (this.#theirs === undefined && shown === this.#base.text) {
      this.#replaced = this.#isOwn ? shown : undefined
      this.#isOwn = false
      this.settle()
      return 'replace'
    }
    this.#theirs = text
    return 'conflict'
  }
}
