import { getOrganizations } from '@patchbay/contracts/identity'
import {
  getSharedWorkspaces,
  getTrash,
  getWorkspaces,
  type SharedWorkspace,
  type TrashedWorkspace,
  type WorkspaceSummary,
} from '@patchbay/contracts/panels'
import { ask } from '../server/server.api.ts'

export interface Owner {
  readonly handle: string
  /** Whether the person may make workspaces for it. */
  readonly mayMake: boolean
}

/** Whose workspaces a person sees: their own, and those of their organizations. */
export async function fetchOwners(handle: string, signal: AbortSignal): Promise<readonly Owner[]> {
  const { body } = await ask(getOrganizations, {}, { signal })
  return [
    { handle, mayMake: true },
    ...body.items.map((organization) => ({
      handle: organization.handle,
      mayMake: organization.role !== 'member',
    })),
  ]
}

export async function fetchWorkspaces(
  owner: string,
  signal?: AbortSignal,
  cursor?: string,
): Promise<{ readonly items: readonly WorkspaceSummary[]; readonly next_cursor: string | null }> {
  const query = cursor === undefined ? {} : { cursor }
  const { body } = await ask(
    getWorkspaces,
    { params: { owner }, query },
    signal === undefined ? {} : { signal },
  )
  return { items: body.items, next_cursor: body.nextCursor }
}

export async function fetchShared(
  signal?: AbortSignal,
  cursor?: string,
): Promise<{ readonly items: readonly SharedWorkspace[]; readonly next_cursor: string | null }> {
  const query = cursor === undefined ? {} : { cursor }
  const { body } = await ask(getSharedWorkspaces, { query }, signal === undefined ? {} : { signal })
  return { items: body.items, next_cursor: body.nextCursor }
}

export async function fetchTrash(
  owner: string,
  signal?: AbortSignal,
  cursor?: string,
): Promise<{ readonly items: readonly TrashedWorkspace[]; readonly next_cursor: string | null }> {
  const query = cursor === undefined ? {} : { cursor }
  const { body } = await ask(getTrash, { params: { owner }, query }, signal === undefined ? {} : { signal })
  return { items: body.items, next_cursor: body.nextCursor }
}
