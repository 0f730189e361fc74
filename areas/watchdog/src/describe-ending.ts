import type { Ending } from './supervision.ts'

/** As sysexits has it: the configuration is at fault. */
const EXIT_CONFIG = 78

/** Why it had to end, if somebody made it. */
const CAUSES = {
  itself: '',
  told: ' after it was told to stop',
  unhealthy: ' because it failed its health checks',
} as const

/** One sentence about the end of a gateway, for people. */
export function describeEnding(ending: Ending, cause: keyof typeof CAUSES): string {
  if (ending.startFailure !== undefined) return `It could not be started: ${ending.startFailure}.`
  const because = CAUSES[cause]
  if (!ending.known)
    return `It ended${because}. An earlier watchdog had started it, so its exit code is not known.`
  if (ending.signal !== null) return `It was ended by ${ending.signal}${because}.`
  const hint =
    ending.code === EXIT_CONFIG
      ? ' Its configuration is at fault: starting it again will not help until that is mended.'
      : ''
  return `It exited with code ${ending.code ?? 'unknown'}${because}.${hint}`
}
