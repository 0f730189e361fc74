import type { Surroundings } from '@patchbay/kernel/lifecycle'

/** What the commands take from outside, beyond what every process of ours does. */
export interface CliSurroundings extends Surroundings {
  readonly hostName: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly platform: NodeJS.Platform
  readonly input: {
    /** Somebody can be asked. */
    readonly isInteractive: boolean
    readonly stream: NodeJS.ReadableStream
  }
  readonly terminal: {
    /** Somebody looks at it: things may move. */
    readonly isInteractive: boolean
    /** Now: a window changes its size. */
    columns(): number | undefined
    write(text: string): void
  }
}
