import { Ending } from '../account/ending.ts'

/** An ending with a word for programs, and what else they may want to know. */
export class Refusal extends Ending {
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>

  constructor(exitCode: number, code: string, text: string, details: Readonly<Record<string, unknown>> = {}) {
    super(exitCode, text)
    this.code = code
    this.details = details
  }
}
