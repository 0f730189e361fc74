import type {
  ActingParty,
  BrowserCommand,
  CommandFailure,
  SandboxResult,
  TakenPicture,
  WorkspaceRef,
} from '@patchbay/contracts/panels'

/** A page that has the workspace open, wherever its socket is. */
export interface OpenBrowser {
  readonly browserId: string
  readonly node: string
  readonly isVisible: boolean
  readonly isSharing: boolean
  /** Whether it may carry out commands: the person may change the workspace. */
  readonly mayAct: boolean
  /** Milliseconds since 1970, of the server's clock. */
  readonly focusedAt: number
  /** Sandboxes whose frame can run code. */
  readonly readyTabs: readonly string[]
}

/** What a browser answered. */
export interface CommandResult {
  readonly evaluation?: SandboxResult
  readonly picture?: TakenPicture
}

/**
 * `no_browser`: nobody who may act has the workspace open, and nothing was sent. `timeout`: it was not done in time.
 * `lost`: the browser that it was sent to has gone, so that whether it was carried out is not known.
 */
export type CommandOutcome =
  | { readonly outcome: 'done'; readonly result: CommandResult }
  | {
      readonly outcome: 'failed'
      readonly code: CommandFailure
      readonly message: string
      readonly retryAfterSeconds?: number
    }
  | { readonly outcome: 'no_browser' }
  | { readonly outcome: 'timeout' }
  | { readonly outcome: 'lost' }

/** The way to the browsers that have a workspace open, on whatever node their sockets are. */
export interface Control {
  /** Layout, states or actions have changed: every node that holds the workspace open looks again. Never fails. */
  notify(at: WorkspaceRef): void
  /** Who has it open; the one that acts comes first. */
  browsers(at: WorkspaceRef): Promise<readonly OpenBrowser[]>
  /**
   * Has the browser that acts carry out a command. One that is gone before the command was sent to it is passed over for
   * the next, within the deadline; one that was sent it is never replaced, unless `canRepeat`. Rejects when who is there
   * cannot be found out, because the bus is away.
   */
  send(
    at: WorkspaceRef,
    command: BrowserCommand,
    options: { readonly deadlineMs: number; readonly canRepeat: boolean },
  ): Promise<CommandOutcome>
  /** Code waits for a frame of this tab: the node of the browser that acts takes what it can run. Never fails. */
  runQueued(at: WorkspaceRef, tabId: string): void
}

/** A page that has a workspace open, for another part of the product that speaks with it over the same socket. */
export interface Page {
  readonly at: WorkspaceRef
  readonly browserId: string
  readonly party: ActingParty
  /** Whether its person may change the workspace, at this moment. */
  readonly mayChange: boolean
  /** It reads more slowly than it is told: what can be left out is left out. */
  readonly isBusy: boolean
  /** Nothing when the page has gone. */
  send(channel: string, message: unknown): void
}

/** What another part of the product says and hears over the sockets of workspaces. */
export interface Channel {
  readonly name: string
  /** A page is read from no faster than this settles. */
  receive(page: Page, message: unknown): Promise<void>
  leave(page: Page): void
}

/** Carries out one evaluation in the frame of one browser of this node. */
export type Execute = (evaluation: {
  readonly id: string
  readonly code: string
  readonly timeoutMs: number
}) => Promise<CommandOutcome>

/** Takes what is queued for a frame that is ready, one after the other, and writes down what came of it. */
export interface QueueRunner {
  /** Settles when nothing is left that this frame could run now. Called again while it runs, it does nothing. */
  run(at: WorkspaceRef, tabId: string, execute: Execute): Promise<void>
}
