import type { WorkspaceRef } from '@patchbay/contracts'
import type { LayoutMark } from '../shown-state.ts'
import type { TargetNames } from '../target.ts'

/** The active tab of a leaf, in the layout of the mark. */
export interface KnownTarget extends LayoutMark {
  readonly tabId: string
}

/** Of all workspaces of a node; some hundred bytes each. */
const MOST = 10_000

/**
 * Which tab a leaf had active when its layout was last read. Never believed: what is done with it is done on the condition
 * that the layout is still the one of the mark. So it saves the reading and decides nothing.
 */
export class KnownTargets {
  readonly #targets = new Map<string, KnownTarget>()

  /** `undefined` as well where the caller expects another tab: only the layout as it is can tell who is right. */
  find(at: WorkspaceRef, names: TargetNames): KnownTarget | undefined {
    const known = this.#targets.get(keyOf(at, names))
    return names.tabId === undefined || names.tabId === known?.tabId ? known : undefined
  }

  keep(at: WorkspaceRef, names: TargetNames, { tabId, madeAt, version }: KnownTarget): void {
    const key = keyOf(at, names)
    this.#targets.delete(key)
    this.#targets.set(key, { tabId, madeAt, version })
    if (this.#targets.size > MOST)
      for (const oldest of this.#targets.keys()) return void this.#targets.delete(oldest)
  }

  forget(at: WorkspaceRef, names: TargetNames): void {
    this.#targets.delete(keyOf(at, names))
  }
}

function keyOf({ owner, repo }: WorkspaceRef, { panelId }: TargetNames): string {
  return `${owner}/${repo}/${panelId}`
}
