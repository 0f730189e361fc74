import { randomBytes, randomUUID } from 'node:crypto'

/** Time and randomness. Everything else takes them as an argument, so that each lifetime can be tested to the millisecond. */
export interface Surroundings {
  /** Wall time in milliseconds. */
  readonly now: () => number
  readonly randomUUID: () => string
  readonly randomBytes: (size: number) => Uint8Array
}

export const systemSurroundings: Surroundings = {
  now: () => Date.now(),
  randomUUID: () => randomUUID(),
  randomBytes: (size) => randomBytes(size),
}

/** Where the operator says the gateway is. */
export function gatewayUrlOfEnvironment(): string | undefined {
  return process.env['PATCHBAY_GATEWAY_URL']
}
