export interface StreamEvent {
  readonly name: string
  readonly data: string
}

/** Far more than a session token; a server that sends more is not the one we know. */
const MOST_CHARACTERS = 64 * 1024

export class EventTooLarge extends Error {
  override readonly name = 'EventTooLarge'

  constructor() {
    super(`an event is longer than ${MOST_CHARACTERS} characters`)
  }
}

/**
 * Server-sent events out of bytes that were cut anywhere. It differs from the browser's own in one point: an event that
 * has a name and no data is an event, because servers leave out the data of one that says it all by its name.
 */
export class EventStreamParser {
  readonly #decoder = new TextDecoder()
  #line = ''
  /** A line ended in CR: an LF right after it belongs to that end. */
  #afterCarriageReturn = false
  #name = ''
  #data: string[] = []
  #size = 0

  push(bytes: Uint8Array): StreamEvent[] {
    const events: StreamEvent[] = []
    const text = this.#decoder.decode(bytes, { stream: true })
    let from = 0
    for (let at = 0; at < text.length; at += 1) {
      const character = text[at]
      if (character !== '\n' && character !== '\r') {
        this.#afterCarriageReturn = false
        continue
      }
      if (character === '\n' && this.#afterCarriageReturn) {
        this.#afterCarriageReturn = false
        from = at + 1
        continue
      }
      this.#afterCarriageReturn = character === '\r'
      this.#keep(text.slice(from, at))
      from = at + 1
      const event = this.#endLine()
      if (event !== undefined) events.push(event)
    }
    this.#keep(text.slice(from))
    return events
  }

  #keep(text: string): void {
    this.#line += text
    if (this.#line.length + this.#size > MOST_CHARACTERS) throw new EventTooLarge()
  }

  #endLine(): StreamEvent | undefined {
    const line = this.#line
    this.#line = ''
    if (line === '') return this.#endEvent()
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') this.#name = value
    if (field === 'data') {
      this.#data.push(value)
      // One more for the line's end: a flood of empty lines is a flood as well.
      this.#size += value.length + 1
    }
    return undefined
  }

  #endEvent(): StreamEvent | undefined {
    const isEvent = this.#name !== '' || this.#data.length > 0
    const event = { name: this.#name === '' ? 'message' : this.#name, data: this.#data.join('\n') }
    this.#name = ''
    this.#data = []
    this.#size = 0
    return isEvent ? event : undefined
  }
}
