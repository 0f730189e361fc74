import type { SandboxResult } from '@patchbay/contracts/panels'
import type { PanelPicture } from '../panel-definition.ts'
import type { FrameFile } from './frame-messages.ts'

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
  /** The files that code may read. None unless given. */
  readonly files?: ReadableFiles
}

/** What code may read of a project. Errors are told to the code in their own words. */
export interface ReadableFiles {
  read(path: string): Promise<ArrayBuffer>
  /** The paths of what is in a folder; those of folders end with a slash. */
  list(folder: string): Promise<readonly string[]>
}

export type ScriptLanguage = 'javascript' | 'python'

export interface Script {
  readonly language: ScriptLanguage
  readonly code: string
  /** As its errors call it. */
  readonly name: string
  /** Python only: where it runs, and the files that are there, with paths from the top of the project. */
  readonly folder: string
  readonly files: readonly FrameFile[]
}

/** `line`: where it failed, if that is known. */
export type ScriptResult = SandboxResult & { readonly line?: number }

/** An isolated frame in which code runs, and its watchdog. */
export interface Sandbox {
  /** One after the other, in the order of the calls. Settles by the timeout: then the frame was hung and is made anew. */
  evaluate(code: string, timeoutMs: number): Promise<SandboxResult>
  /** The same for a script of a person, in a frame that nothing else has run in unless `keepsFrame`. */
  runScript(script: Script, timeoutMs: number, keepsFrame?: boolean): Promise<ScriptResult>
  /** A new frame: nothing of what ran before is left. Running code ends with an error. */
  reset(): Promise<void>
  takePicture(): Promise<PanelPicture>
  dispose(): void
}

/** Makes a frame as the only child of an element. */
export type CreateSandbox = (element: HTMLElement, options: SandboxOptions) => Sandbox
