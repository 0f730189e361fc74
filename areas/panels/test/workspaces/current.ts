import type { CurrentWorkspace } from '@patchbay/contracts/panels'
import { expect } from 'vitest'
import type { TestCaller } from '../caller.ts'

export const editor = (owner: string, repo = 'board') => `/api/workspaces/editor/${owner}/${repo}`

/** A caller with a workspace of their own. */
export async function makeWorkspaceOf(caller: TestCaller, owner: string, repo = 'board'): Promise<string> {
  const at = editor(owner, repo)
  expect((await caller.send('PUT', at)).status).toBe(201)
  return at
}

export async function readCurrent(caller: TestCaller, at: string): Promise<CurrentWorkspace> {
  const answer = await caller.ask(`${at}/current`)
  expect(answer.status).toBe(200)
  return (await answer.json()) as CurrentWorkspace
}

export interface Added {
  readonly tabId: string
  readonly panelId: string
  readonly version: number
}

export async function addTab(caller: TestCaller, at: string, body: object = {}): Promise<Added> {
  const answer = await caller.send('POST', `${at}/current/tabs`, { panelType: 'webview', ...body })
  expect([answer.status, answer.status === 201 ? '' : await answer.text()]).toEqual([201, ''])
  return (await answer.json()) as Added
}

export async function splitWith(caller: TestCaller, at: string, body: object = {}): Promise<Added> {
  const wanted = { panelType: 'webview', direction: 'right', ...body }
  const answer = await caller.send('POST', `${at}/current/splits`, wanted)
  expect([answer.status, answer.status === 201 ? '' : await answer.text()]).toEqual([201, ''])
  return (await answer.json()) as Added
}

/** What an answer says, in short: `404 panel_not_found`, or only the status. */
export async function verdict(answer: Promise<Response> | Response): Promise<string> {
  const response = await answer
  const text = await response.text()
  if (!(response.headers.get('content-type') ?? '').includes('problem')) return String(response.status)
  return `${response.status} ${(JSON.parse(text) as { code: string }).code}`
}
