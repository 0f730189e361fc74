import type { SandboxResult } from '@patchbay/contracts/panels'
import type { PanelPicture } from '../panel-definition.ts'

export interface SandboxOptions {
  /** Origins that code may reach. */
  readonly connect: readonly string[]
  readonly title: string
  /** Called with every change: false while a frame is being made anew. */
  readonly onReady: (isReady: boolean) => void
  /** What code has made of its frame is gone, and nobody had asked for that: why. */
  readonly onEmptied?: (why: string) => void
  /** Each line that code writes to its console, also between evaluations. */
  readonly onConsole?: (line: { readonly level: string; readonly text: string }) => void
}

/** An isolated frame in which code runs, and its watchdog. */
export interface Sandbox {
  /** One after the other, in the order of the calls. Settles by the timeout: then the frame was hung and is made anew. */
  evaluate(code: string, timeoutMs: number): Promise<SandboxResult>
  /** A new frame: nothing of what ran before is left. Running code ends with an error. */
  reset(): Promise<void>
  takePicture(): Promise<PanelPicture>
  dispose(): void
}

/** Makes a frame as the only child of an element. */
export type CreateSandbox = (element: HTMLElement, options: SandboxOptions) => Sandbox
