import type { Visibility } from '@patchbay/contracts/registry'

/** Whose feeds somebody waits for. */
export interface ChangedFeeds {
  readonly owner: string
  readonly visibility: Visibility
}

export interface Indexer {
  /**
   * Whether what was changed before the call is in the feeds within the deadline: in those of one owner's change, or in
   * all. Begins at once.
   */
  settle(deadlineMs: number, changed?: ChangedFeeds): Promise<boolean>
  /** Begins to sweep: what a killed node left is finished by whoever comes next. */
  start(): void
  stop(): Promise<void>
}

/** Rung after every change of the index, so that no node serves an older one. */
export const INDEX_CHANGED = 'registry:index'
