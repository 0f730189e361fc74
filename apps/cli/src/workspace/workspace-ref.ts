import type { WorkspaceRef } from '@patchbay/client/workspaces'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'

const REF = /^([a-z0-9]+(?:-[a-z0-9]+)*)\/(?!\.{1,2}$)([A-Za-z0-9._-]{1,100})$/

/** `ada/board`: whose it is, and the repository. */
export function parseWorkspace(text: string): WorkspaceRef {
  const [, owner, repo] = REF.exec(text) ?? []
  if (owner !== undefined && repo !== undefined) return { owner, repo }
  throw new Refusal(
    EXIT.usage,
    'bad_workspace',
    `A workspace is named by its owner and repository, such as ada/board, not "${stripHidden(text)}".`,
  )
}

export function nameOf({ owner, repo }: WorkspaceRef): string {
  return `${owner}/${repo}`
}
