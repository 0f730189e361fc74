import type { WorkspaceInvitation, WorkspaceMember, WorkspaceRole } from '@patchbay/contracts/panels'
import { expect } from 'vitest'
import type { TestCaller } from '../caller.ts'
import { verdict } from '../workspaces/current.ts'

export const BROWSER = { kind: 'browser', label: 'chromium' } as const
export const LOOK = '/api/workspaces/invitations/check'
export const JOIN = '/api/workspaces/invitations/accept'

export const letIn = (manager: TestCaller, at: string, handle: string, role: WorkspaceRole) =>
  verdict(manager.send('PUT', `${at}/members/${handle}`, { role }))

export async function membersOf(caller: TestCaller, at: string) {
  const answer = await caller.ask(`${at}/members`)
  expect(answer.status).toBe(200)
  return (await answer.json()) as { items: WorkspaceMember[]; mayManage: boolean }
}

export async function makeLink(manager: TestCaller, at: string, body: object = { role: 'viewer' }) {
  const answer = await manager.send('POST', `${at}/invitations`, body)
  expect(answer.status).toBe(201)
  const { url, invitation } = (await answer.json()) as { url: string; invitation: WorkspaceInvitation }
  return { url, invitation, secret: url.slice(url.indexOf('#') + 1) }
}

export const join = (caller: TestCaller, secret: string) =>
  verdict(caller.send('POST', JOIN, { invitation: secret }))
