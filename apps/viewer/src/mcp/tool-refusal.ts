/** Why a tool did not do what it was asked, in words for a model and the person behind it. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal'
  /** In the shape of what the tool answers. */
  readonly facts: Readonly<Record<string, unknown>> | undefined

  constructor(words: string, facts?: Readonly<Record<string, unknown>>) {
    super(words)
    this.facts = facts
  }
}
