import type { Surroundings } from '@patchbay/kernel/lifecycle'
import type { Paint } from './paint.ts'

/** What the commands take from outside, beyond what every process of ours does. */
export interface CliSurroundings extends Surroundings {
  /** Color for what is printed and for what goes to standard error. */
  readonly paint: { readonly out: Paint; readonly error: Paint }
  readonly hostName: string
  /** Another UUID each time. */
  readonly createId: () => string
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly platform: NodeJS.Platform
  readonly input: {
    /** Somebody can be asked. */
    readonly isInteractive: boolean
    readonly stream: NodeJS.ReadableStream
  }
  /** Standard output, for bytes that are no text of ours. Waits until they are taken. */
  readonly writeBytes: (bytes: Uint8Array) => Promise<void>
  readonly terminal: {
    /** Somebody looks at it: things may move. */
    readonly isInteractive: boolean
    /** Now: a window changes its size. */
    columns(): number | undefined
    write(text: string): void
  }
}
