import type { WorkspaceMessage } from '@patchbay/contracts/panels'
import type { Layout } from '@patchbay/workspace-layout'
import type { PendingMessage } from '../../src/workspace/store/pending.ts'
import {
  createWorkspaceStore,
  type StoreOptions,
  type WorkspaceStore,
} from '../../src/workspace/store/workspace-store.ts'
import { layoutOf, leaf, panelId } from './layouts.ts'

type Opened = Extract<WorkspaceMessage, { type: 'opened' }>

export interface Bench {
  readonly store: WorkspaceStore
  readonly sent: PendingMessage[]
  readonly told: string[]
  /** As the server would after a connection was made. */
  readonly open: (layout?: Layout, more?: Partial<Opened>) => void
}

export const ONCE_ONLY = panelId(9)

/** A store whose ids count up, and everything that leaves it. */
export function startStore(onMade?: StoreOptions['onMade']): Bench {
  const sent: PendingMessage[] = []
  const told: string[] = []
  let count = 0
  let version = 0
  const store = createWorkspaceStore({
    rules: { isSingleton: (panel) => panel === ONCE_ONLY },
    newId: () => {
      count += 1
      return `m${count}`
    },
    now: () => 1_000,
    send: (message) => sent.push(message),
    onRefused: (message) => told.push(message),
    ...(onMade !== undefined && { onMade }),
  })
  return {
    store,
    sent,
    told,
    open(layout = layoutOf(leaf(1, 1, 2)), more = {}) {
      version += 1
      store.receive({ type: 'opened', version, layout, states: [], actions: [], mayChange: true, ...more })
    },
  }
}
