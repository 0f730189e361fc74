import type { CatalogPanel, SandboxResult, WorkspaceRef } from '@patchbay/contracts/panels'
import type { ComponentType } from 'react'
import type { ValueStore } from '../parts/value-store.ts'
import type { Replay } from './replay.ts'

export interface ShownState {
  readonly revision: number
  readonly state: PanelState
}

/**
 * What came of a state that was sent with a base. `outdated`: somebody else had changed the panel by then.
 * With what the server shows now.
 */
export interface StateAnswer {
  readonly outcome: 'stored' | 'outdated' | 'refused'
  readonly shown: ShownState
}

/** For a state that must not replace what nobody here has seen. */
export interface BasedOn {
  /** The revision that it was made on. */
  readonly revision: number
  readonly onAnswer: (answer: StateAnswer) => void
}

/** Keys of what a panel shows; which ones depends on its kind. */
export type PanelState = Readonly<Record<string, unknown>>

export interface PanelPicture {
  readonly png: Blob
  readonly width: number
  readonly height: number
  /** Pixels of the picture for each CSS pixel. */
  readonly scale: number
}

/** What the workspace can ask of a panel that is mounted. */
export interface PanelHandlers {
  /** Runs code in the panel's own frame. Settles in any case, by the timeout at the latest. */
  evaluate?(code: string, timeoutMs: number): Promise<SandboxResult>
  /** A picture of what the panel shows, taken without the person sharing anything. */
  takePicture?(): Promise<PanelPicture>
  /** Settles once the panel shows its state of this revision. At once where a panel needs no time for it. */
  shows?(revision: number): Promise<void>
}

export type LogSource = 'agent' | 'console' | 'workspace'

/** A line of the system log. */
export interface LogEntry {
  readonly at: Date
  readonly source: LogSource
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly text: string
  /** The title of the tab it is about, as it was then. */
  readonly about?: string
}

export interface LogStore {
  /** The latest 1,000, the latest last. The same array until something is added. */
  entries(): readonly LogEntry[]
  subscribe(listener: () => void): () => void
  add(entry: Omit<LogEntry, 'at'>): void
}

/**
 * What the connection of the page has told. `files`: files of the workspace were changed. `recordings`: markers were, or
 * recording was started or stopped. `away`: nothing more is told.
 * `back`: it is open again, and anything may have happened.
 */
export type HostNews = 'files' | 'recordings' | 'away' | 'back'

export interface FilePlace {
  readonly path: string
  /** From 1. */
  readonly line: number
  /** In the line, from 0. */
  readonly from: number
  readonly to: number
}

/** What every panel of a workspace shares. */
export interface PanelHost {
  readonly workspace: WorkspaceRef
  /** Names this page among all that show the workspace. */
  readonly pageId: string
  /** A new UUID. */
  newId(): string
  readonly log: LogStore
  /** Offers what the panel can be asked for. The returned function takes it back. */
  offer(tabId: string, handlers: PanelHandlers): () => void
  /** Says whether code sent over HTTP can run in this tab now. */
  setReady(tabId: string, isReady: boolean): void
  /** False for somebody who may only look. */
  mayChange(): boolean
  /** The CSRF token of the person's session, for requests that change something. */
  csrfToken(): string
  /** Says something to another part of the server over the page's connection. Nothing without one. */
  say(channel: string, message: unknown): void
  /** Hears what that part says. The returned function ends that. */
  hear(channel: string, listener: (message: unknown) => void): () => void
  /**
   * Shows a panel of this kind beside the tab that asks, if one does: one that is there, or a new one, with these keys of its
   * state, which may depend on what it shows; `undefined` leaves that one alone. Answers whether there is one now.
   */
  openPanel(
    fromTabId: string | undefined,
    kind: string,
    state: PanelState | ((shown: PanelState) => PanelState | undefined),
  ): boolean
  /**
   * Sets keys of the state of every open tab of these kinds but the one that asks, where what it shows calls for it:
   * `undefined` leaves one alone.
   */
  patchPanels(
    fromTabId: string,
    kinds: readonly string[],
    state: (shown: PanelState) => PanelState | undefined,
  ): void
  /** Which moment panels of devices show. */
  readonly replay: Replay
  /** A file that somebody wants to see. The Files panel that shows it takes it out. */
  readonly fileToShow: ValueStore<string | undefined>
  /** A place in a file that somebody wants to see. The code editor that shows it takes it out. */
  readonly placeToShow: ValueStore<FilePlace | undefined>
  /** Opens the search in all files. */
  findInFiles(): void
  /** Tells what is new from now on. The returned function ends that. */
  follow(listener: (news: HostNews) => void): () => void
}

export interface PanelProps {
  readonly tabId: string
  readonly title: string
  readonly panel: CatalogPanel
  /** What it shall show. */
  readonly state: PanelState
  /** 0 before anything was stored. */
  readonly revision: number
  /** Whether it is the tab of its leaf that shows. */
  readonly isActive: boolean
  /** False for somebody who may only look. */
  readonly mayChange: boolean
  /** What the server has, without what this page has done since. */
  readonly stored: { readonly state: PanelState; readonly revision: number }
  /**
   * Sets keys of the state for everybody; null removes one. With a base, only if nobody else has changed the panel since
   * that revision.
   */
  readonly setState: (patch: PanelState, on?: BasedOn) => void
  /** Another tab of the same kind beside this one. Answers whether there is one now. */
  readonly openCopy: (state: PanelState) => boolean
  /** Offers the person such a tab, also after this one has gone. Answers with what takes the offer back. */
  readonly offerCopy: (state: PanelState) => () => void
  readonly host: PanelHost
}

/** A folder below this one, loaded when a tab of its kind is first shown. */
export interface PanelDefinition {
  readonly kind: string
  readonly load: () => Promise<ComponentType<PanelProps>>
}
