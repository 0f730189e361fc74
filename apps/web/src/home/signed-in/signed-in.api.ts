import { getDevices } from '@patchbay/contracts/devices'
import { getApiKeys, getOrganizations, getSessions } from '@patchbay/contracts/identity'
import { getSharedWorkspaces, getWorkspaces } from '@patchbay/contracts/panels'
import { getOwnedPackages } from '@patchbay/contracts/registry'
import { ask } from '../../server/server.api.ts'

export interface RecentWorkspace {
  readonly owner: string
  readonly repo: string
  readonly tabs: number
  readonly changedAt: string
}

/** What a first day holds, in the order in which it is easiest. */
export const STEPS = ['workspace', 'device', 'command', 'package', 'agent'] as const
export type Step = (typeof STEPS)[number]

export interface HomeState {
  /** The last changed first. */
  readonly recent: readonly RecentWorkspace[]
  readonly done: ReadonlySet<Step>
}

const SHOWN = 6
/** Each owner is a question of its own. */
const OWNERS_ASKED = 6
/** So is each workspace's list of devices. */
const WORKSPACES_ASKED = 3

export async function fetchHome(handle: string, signal: AbortSignal): Promise<HomeState> {
  const [recent, command, published, agent] = await Promise.all([
    fetchRecent(handle, signal),
    usesCommand(signal),
    hasPackage(handle, signal),
    hasAgentKey(signal),
  ])
  const device = await hasDevice(recent, signal)
  const found: Readonly<Record<Step, boolean>> = {
    workspace: recent.length > 0,
    device,
    command,
    package: published,
    agent,
  }
  return { recent, done: new Set(STEPS.filter((step) => found[step])) }
}

async function fetchRecent(handle: string, signal: AbortSignal): Promise<readonly RecentWorkspace[]> {
  const { body } = await ask(getOrganizations, {}, { signal })
  const owners = [handle, ...body.items.map((organization) => organization.handle)].slice(0, OWNERS_ASKED)
  const lists = await Promise.all([
    ...owners.map(
      async (owner) =>
        (await ask(getWorkspaces, { params: { owner }, query: { limit: SHOWN } }, { signal })).body.items,
    ),
    ask(getSharedWorkspaces, { query: { limit: SHOWN } }, { signal }).then(
      ({ body: shared }) => shared.items,
    ),
  ])
  return lists
    .flat()
    .toSorted((one, other) => other.changedAt.localeCompare(one.changedAt))
    .slice(0, SHOWN)
}

async function hasDevice(workspaces: readonly RecentWorkspace[], signal: AbortSignal): Promise<boolean> {
  const lists = await Promise.all(
    workspaces.slice(0, WORKSPACES_ASKED).map(async ({ owner, repo }) => {
      const { body } = await ask(getDevices, { params: { owner, repo }, query: { limit: 1 } }, { signal })
      return body.items
    }),
  )
  return lists.some(({ length }) => length > 0)
}

async function usesCommand(signal: AbortSignal): Promise<boolean> {
  const { body } = await ask(getSessions, { query: {} }, { signal })
  return body.items.some(({ kind }) => kind === 'application')
}

async function hasPackage(owner: string, signal: AbortSignal): Promise<boolean> {
  const { body } = await ask(getOwnedPackages, { params: { owner }, query: { limit: 1 } }, { signal })
  return body.items.length > 0
}

/** An agent acts on workspaces with a key of its own. */
async function hasAgentKey(signal: AbortSignal): Promise<boolean> {
  const { body } = await ask(getApiKeys, {}, { signal })
  return body.items.some(({ scopes }) => scopes.some((scope) => !scope.startsWith('packages:')))
}
