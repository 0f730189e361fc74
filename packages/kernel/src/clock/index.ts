/** Time enters here and nowhere else, so that every lifetime can be tested a second before and after its end. */
export interface Clock {
  /** Wall time. Never used to measure a duration: it jumps when the machine's time is set. */
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
