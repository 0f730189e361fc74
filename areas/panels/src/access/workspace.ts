import type { Layout, WorkspaceRef } from '@patchbay/contracts/panels'

export interface Workspace extends WorkspaceRef {
  readonly version: number
  readonly layout: Layout
  readonly stateRevision: number
  readonly createdAt: Date
  readonly changedAt: Date
}

/** Names the workspace on the bus: wake-ups and the room of its browsers. */
export function roomOf({ owner, repo }: WorkspaceRef): string {
  return `workspace:${owner}/${repo}`
}
