import { Problem } from '@patchbay/contracts/core'
import type { WorkspaceRef, WorkspaceSummary } from '@patchbay/contracts/panels'

export interface ListedWorkspace extends WorkspaceRef {
  readonly version: number
  readonly tabs: number
  readonly createdAt: Date
  readonly changedAt: Date
}

export type WorkspacePosition = Pick<ListedWorkspace, 'changedAt' | 'repo'>

export interface WorkspacePage {
  readonly workspaces: readonly ListedWorkspace[]
  readonly nextAfter: WorkspacePosition | undefined
}

export function presentSummary({
  owner,
  repo,
  version,
  tabs,
  createdAt,
  changedAt,
}: ListedWorkspace): WorkspaceSummary {
  return {
    owner,
    repo,
    version,
    tabs,
    createdAt: createdAt.toISOString(),
    changedAt: changedAt.toISOString(),
  }
}

const CURSOR = /^([0-9]{1,15}) ([A-Za-z0-9._-]{1,100})$/

export function workspaceCursor({ changedAt, repo }: WorkspacePosition): string {
  return Buffer.from(`${changedAt.getTime()} ${repo}`).toString('base64url')
}

export function readWorkspaceCursor(cursor: string): WorkspacePosition {
  const [, time, repo] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (time === undefined || repo === undefined)
    throw new Problem('invalid_request', { detail: 'The cursor is not one that a page gave.' })
  return { changedAt: new Date(Number(time)), repo }
}
