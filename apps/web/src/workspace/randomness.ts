/** Where ids and chance come from: the start of the page hands it in, so that tests can count instead. */
export interface Randomness {
  readonly newId: () => string
  /** From 0 up to 1. */
  readonly random: () => number
}
