import { Problem } from '@patchbay/contracts/core'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { CompiledQuery } from 'kysely'
import type { Asking, Caller, PanelsDeps } from '../deps.ts'
import { type Admission, type Right, type RightsDeps, rightOf } from './rights.store.ts'
import type { Workspace } from './workspace.ts'

export interface Admitted {
  readonly caller: Caller
  readonly workspace: Workspace
}

const MINUTE_MS = 60_000
const isAboutFiles = ({ areas }: Admission) => areas.some((area) => area.startsWith('files:'))
const LAYOUT: Admission = { areas: ['workspace'], access: 'write' }
export const FILES_TO_READ: Admission = { areas: ['files:read'], access: 'read' }

/**
 * Who asks, whether they may, whether a person has ended their access, and the workspace as it is: before any of this a
 * call on a workspace knows nothing. Who may not, learns nothing of whether it exists.
 */
export async function admit(
  deps: PanelsDeps,
  request: Asking,
  ref: WorkspaceRef,
  admission: Admission,
): Promise<Admitted> {
  return await admitCaller(deps, await requireCaller(deps, request, admission), ref, admission)
}

/** The same for whoever needs nothing of the workspace but that it is there: its layout may be long, and reading files is mostly this. */
export async function admitToPart(
  deps: PanelsDeps,
  request: Asking,
  ref: WorkspaceRef,
  admission: Admission,
): Promise<Caller> {
  const caller = await requireCaller(deps, request, admission)
  return (await admitWith(deps, caller, ref, admission, isOpenTo)).caller
}

function requireCaller({ access }: PanelsDeps, request: Asking, admission: Admission): Promise<Caller> {
  return admission.access === 'write' ? access.requireChange(request) : access.requirePrincipal(request)
}

/** A person in their browser who may change the workspace, or what else is asked; for a change the request must come from a page of ours. */
export async function admitPerson(
  deps: PanelsDeps,
  request: Asking,
  ref: WorkspaceRef,
  isChange: boolean,
  admission = LAYOUT,
): Promise<Admitted> {
  const { access } = deps
  const person = await (isChange ? access.requirePersonsChange(request) : access.requirePerson(request))
  return await admitCaller(deps, person, ref, admission)
}

/** The same for a workspace that may not be there yet. */
export async function admitToMake(deps: PanelsDeps, request: Asking, ref: WorkspaceRef): Promise<Caller> {
  const caller = await deps.access.requireChange(request)
  await requireAny(deps, caller, ref, LAYOUT)
  await requirePace(deps, caller, ref, LAYOUT)
  await findAdmitted(deps, caller, ref)
  return caller
}

export async function admitCaller(
  deps: PanelsDeps,
  caller: Caller,
  ref: WorkspaceRef,
  admission: Admission,
): Promise<Admitted> {
  const { caller: admitted, found } = await admitWith(deps, caller, ref, admission, findAdmitted)
  return { caller: admitted, workspace: found }
}

async function admitWith<Found>(
  deps: PanelsDeps,
  caller: Caller,
  ref: WorkspaceRef,
  admission: Admission,
  find: (deps: PanelsDeps, caller: Caller, ref: WorkspaceRef) => Promise<Found | undefined>,
): Promise<{ readonly caller: Caller; readonly found: Found }> {
  const right = await requireAny(deps, caller, ref, admission)
  // Side by side: two engines, and a caller waits for both.
  const [found] = await Promise.all([find(deps, caller, ref), requirePace(deps, caller, ref, admission)])
  if (found === undefined) throw new Problem('workspace_not_found')
  const invitedAs = admission.access === 'write' ? 'editor' : 'viewer'
  return { caller: right === 'role' ? { ...caller, invitedAs } : caller, found }
}

/** Whether somebody may still read the files of a workspace, and it is there. */
export async function mayReadFiles(deps: RightsDeps, caller: Caller, ref: WorkspaceRef): Promise<boolean> {
  const right = await rightOf(deps, caller, ref, FILES_TO_READ)
  return right !== undefined && (await findAdmitted(deps, caller, ref)) !== undefined
}

export async function requireAny(
  deps: PanelsDeps,
  caller: Caller,
  ref: WorkspaceRef,
  admission: Admission,
): Promise<Right> {
  const right = await rightOf(deps, caller, ref, admission)
  if (right === undefined) throw new Problem('not_permitted')
  return right
}

/** A script that runs wild must not keep a person from their own workspace, nor other scripts. */
async function requirePace(
  { bus, settings }: PanelsDeps,
  { credential }: Caller,
  { owner, repo }: WorkspaceRef,
  admission: Admission,
): Promise<void> {
  if (credential.kind === 'browser' || admission.isUrgent === true) return
  const [name, max] = isAboutFiles(admission)
    ? ['files', settings.fileRequestsPerMinute]
    : ['panels', settings.actionsPerMinute]
  const { allowed, retryAfterMs } = await bus.rateLimit.hit(`${name}:${credential.id}:${owner}/${repo}`, {
    max,
    windowMs: MINUTE_MS,
  })
  if (allowed) return
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  throw new Problem('rate_limited', {
    extensions: { retry_after_seconds: seconds },
    headers: { 'retry-after': String(seconds) },
  })
}

/** The workspace, if it is there. Throws when a person has ended the access. */
async function findAdmitted(
  { db }: Pick<PanelsDeps, 'db'>,
  { credential }: Caller,
  { owner, repo }: WorkspaceRef,
): Promise<Workspace | undefined> {
  const row = await db
    .selectFrom('workspaces')
    .leftJoin('workspace_actors', (join) =>
      join
        .onRef('workspace_actors.owner', '=', 'workspaces.owner')
        .onRef('workspace_actors.repo', '=', 'workspaces.repo')
        .on('workspace_actors.credential_id', '=', credential.id),
    )
    .select([
      'workspaces.version',
      'workspaces.layout',
      'workspaces.state_revision as stateRevision',
      'workspaces.created_at as createdAt',
      'workspaces.changed_at as changedAt',
      'workspace_actors.is_ended as isEnded',
    ])
    .where('workspaces.owner', '=', owner)
    .where('workspaces.repo', '=', repo)
    .where('workspaces.trashed_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { isEnded, ...workspace } = row
  if (isEnded === true) throw new Problem('access_ended')
  return { owner, repo, ...workspace }
}

const OPEN_TO = `
  select actor.is_ended as "isEnded" from workspaces workspace left join workspace_actors actor
    on actor.owner = workspace.owner and actor.repo = workspace.repo and actor.credential_id = $3
  where workspace.owner = $1 and workspace.repo = $2 and workspace.trashed_at is null`

/** As `findAdmitted`, without what is in the workspace. */
async function isOpenTo(
  { db }: Pick<PanelsDeps, 'db'>,
  { credential }: Caller,
  { owner, repo }: WorkspaceRef,
): Promise<true | undefined> {
  const query = CompiledQuery.raw(OPEN_TO, [owner, repo, credential.id])
  const { rows } = await db.executeQuery<{ readonly isEnded: boolean | null }>(query)
  const [row] = rows
  if (row?.isEnded === true) throw new Problem('access_ended')
  return row === undefined ? undefined : true
}
