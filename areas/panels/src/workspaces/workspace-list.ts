import { Problem } from '@patchbay/contracts/core'
import type { WorkspaceRef, WorkspaceRole, WorkspaceSummary } from '@patchbay/contracts/panels'

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
  if (time === undefined || repo === undefined) throw notACursor()
  return { changedAt: new Date(Number(time)), repo }
}

export interface ListedShared extends ListedWorkspace {
  readonly role: WorkspaceRole
  readonly invitedBy: string
}

export type SharedPosition = Pick<ListedShared, 'changedAt' | 'owner' | 'repo'>

export interface SharedPage {
  readonly workspaces: readonly ListedShared[]
  readonly nextAfter: SharedPosition | undefined
}

const SHARED_CURSOR = /^([0-9]{1,15}) ([a-z0-9-]{1,39})\/([A-Za-z0-9._-]{1,100})$/

export function sharedCursor({ changedAt, owner, repo }: SharedPosition): string {
  return Buffer.from(`${changedAt.getTime()} ${owner}/${repo}`).toString('base64url')
}

export function readSharedCursor(cursor: string): SharedPosition {
  const [, time, owner, repo] = SHARED_CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (time === undefined || owner === undefined || repo === undefined) throw notACursor()
  return { changedAt: new Date(Number(time)), owner, repo }
}

function notACursor(): Problem {
  return new Problem('invalid_request', { detail: 'The cursor is not one that a page gave.' })
}
