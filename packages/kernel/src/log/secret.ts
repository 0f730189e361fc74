import { inspect } from 'node:util'

const SHOWN = '[secret]'

/**
 * A value that cannot be printed by accident: string conversion, JSON and the debugger all show `[secret]`.
 * Only `reveal()` yields it, so a search for that word finds every place where a secret leaves its wrapper.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return SHOWN
  }

  toJSON(): string {
    return SHOWN
  }

  [Symbol.toPrimitive](): string {
    return SHOWN
  }

  [inspect.custom](): string {
    return SHOWN
  }
}
