/** Time and randomness. Everything else takes them as an argument, so that each lifetime can be tested to the millisecond. */
export interface Surroundings {
  /** Wall time in milliseconds: a machine that slept must notice. */
  readonly now: () => number
  /** From 0 to 1, for spreading attempts in time. */
  readonly random: () => number
  readonly randomBytes: (size: number) => Uint8Array
}

export const systemSurroundings: Surroundings = {
  now: () => Date.now(),
  random: () => Math.random(),
  randomBytes: (size) => globalThis.crypto.getRandomValues(new Uint8Array(size)),
}

/** Only for what runs in Node. */
export function environmentOfProcess(): Readonly<Record<string, string | undefined>> {
  return process.env
}
