/** As sysexits has it. */
export const EXIT = {
  failed: 1,
  usage: 2,
  unavailable: 69,
  bug: 70,
  notYet: 75,
  interrupted: 130,
} as const

/** A command that ends without having done what was asked: a sentence for the person, and a code for their script. */
export class Ending extends Error {
  override readonly name = 'Ending'
  readonly exitCode: number

  constructor(exitCode: number, text: string) {
    super(text)
    this.exitCode = exitCode
  }
}
