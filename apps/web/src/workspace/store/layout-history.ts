import type { AddedTab } from '@patchbay/contracts/panels'
import {
  findTab,
  isArrangedAs,
  type LayoutChange,
  retrace,
  type Step,
  tabs,
} from '@patchbay/workspace-layout'
import { words } from '../words.tsx'
import type { WorkspaceStore } from './workspace-store.ts'

/** More than anybody goes back. */
const MOST_STEPS = 100

export interface LayoutHistory {
  /** Remembers what this person has changed. The returned function forgets it, where it came to nothing. */
  record(step: Step): () => void
  /** A closed tab is open again: closing it cannot be undone anymore. */
  forgetClosing(tabId: string): void
  undo(): Promise<void>
  redo(): Promise<void>
}

interface HistoryDeps {
  readonly store: () => WorkspaceStore
  /** Opens a closed tab with what it showed; nothing where that failed, which is told. */
  readonly reopen: (tabId: string) => Promise<AddedTab | undefined>
  readonly newId: () => string
  readonly refuse: (message: string) => void
  /** Tells the person something. The returned function takes it back. */
  readonly tell: (message: string) => () => void
}

type Way = 'undo' | 'redo'

/** The changes of the layout that this person has made in this page, so that they can be taken back and made again. */
export function createLayoutHistory({ store, reopen, newId, refuse, tell }: HistoryDeps): LayoutHistory {
  const done: Record<Way, Step[]> = { undo: [], redo: [] }
  let isRetracing = false
  /** One at a time: each covers a part of the page. */
  let dismissLast = () => {}

  /** Not remembered as something new that was done. */
  function make(change: LayoutChange): string | undefined {
    isRetracing = true
    try {
      return store().change(change)
    } finally {
      isRetracing = false
    }
  }

  /** Answers whether it was done. */
  async function carryOut(step: Step): Promise<boolean> {
    const { layout } = store().getSnapshot()
    const closed = tabs(step.to).find(
      ({ id }) => findTab(step.from, id) === undefined && findTab(layout, id) === undefined,
    )
    if (closed !== undefined) {
      const wasAsLeft = isArrangedAs(layout, step.from)
      const added = await reopen(closed.id)
      const now = store().getSnapshot()
      // The server puts it near to where it was. Where nobody has changed anything since, everything goes where it was.
      if (added !== undefined && wasAsLeft && now.version === added.version)
        make({ type: 'replace', layout: step.to, expected: now.layout })
      return added !== undefined
    }
    const { change, refused } = retrace(step, layout, { newLeafId: newId(), newSplitId: newId() })
    const why = change === undefined ? refused.message : make(change)
    if (why !== undefined) refuse(why)
    return why === undefined
  }

  async function go(way: Way): Promise<void> {
    const step = done[way].pop()
    dismissLast()
    if (step === undefined) {
      dismissLast = tell(words.history.nothing[way])
      return
    }
    const { change, from, to } = step
    if (!(await carryOut(way === 'undo' ? { change, from: to, to: from } : step))) return
    done[way === 'undo' ? 'redo' : 'undo'].push(step)
    dismissLast = tell(words.history.did[way](nameOf(step)))
  }

  /** One after the other, however fast the keys are pressed. */
  let last = Promise.resolve()
  const queue = (way: Way) => (last = last.then(() => go(way)))

  return {
    record(step) {
      if (isRetracing || isArrangedAs(step.from, step.to)) return () => {}
      done.undo = [...done.undo, step].slice(-MOST_STEPS)
      done.redo = []
      return () => {
        done.undo = done.undo.filter((one) => one !== step)
      }
    },
    forgetClosing(tabId) {
      done.undo = done.undo.filter(({ change }) => change.type !== 'removeTab' || change.tabId !== tabId)
    },
    undo: () => queue('undo'),
    redo: () => queue('redo'),
  }
}

function nameOf({ change, from, to }: Step): string {
  const { steps } = words.history
  if (change.type === 'resizeSplit' || change.type === 'replace') return steps[change.type]
  const tabId = change.type === 'addTab' ? change.tab.id : change.tabId
  return steps[change.type]((findTab(from, tabId) ?? findTab(to, tabId))?.tab.title ?? '')
}
