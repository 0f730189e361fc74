import { Problem } from '@patchbay/contracts/core'
import type { ActingParty, PanelAction, WorkspaceRef } from '@patchbay/contracts/panels'
import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { Caller } from '../deps.ts'
import type { PanelsTables } from '../tables.ts'
import { ACTIONS_KEPT, actorsOf, type NewAction, type NotedAction, partyOf } from './action.ts'
import { isAsMuch } from './member.ts'

export type { NewAction } from './action.ts'

/** In the transaction that took the revision, so that whoever sees the revision sees the action. */
export async function noteAction(
  tx: Db<PanelsTables>,
  ref: WorkspaceRef,
  revision: number,
  action: NewAction,
  now: Date,
): Promise<void> {
  await noteActions(tx, ref, [{ revision, action }], now)
}

/**
 * One statement: it is part of every call that changes something. Throws when a person has ended the access of somebody
 * who acts, which undoes what they did: `admit` may have looked a moment too early.
 */
export async function noteActions(
  tx: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  noted: readonly NotedAction[],
  now: Date,
): Promise<void> {
  if (noted.length === 0) return
  const parties = noted.map(({ action }) => partyOf(action.caller))
  const actors = actorsOf(noted)
  const { rows } = await sql<{ is_ended: boolean }>`
    with noted as (
      insert into panel_actions
        (owner, repo, id, tab_id, actor_kind, actor_name, actor_handle, action, reason, at)
      select ${owner}, ${repo}, *, ${now}::timestamptz from unnest(
        ${noted.map(({ revision }) => revision)}::bigint[],
        ${noted.map(({ action }) => action.tabId)}::uuid[],
        ${parties.map(({ kind }) => kind)}::text[],
        ${parties.map(({ name }) => name)}::text[],
        ${parties.map(({ handle }) => handle)}::text[],
        ${noted.map(({ action }) => action.action)}::text[],
        ${noted.map(({ action }) => action.reason ?? null)}::text[])
    ), pruned as (
      delete from panel_actions where owner = ${owner} and repo = ${repo} and id <= (
        select id from panel_actions where owner = ${owner} and repo = ${repo}
        order by id desc offset ${ACTIONS_KEPT} limit 1)
    )
    insert into workspace_actors
      (owner, repo, credential_id, kind, name, handle, last_action, actions, last_action_at)
    select ${owner}, ${repo}, *, ${now}::timestamptz from unnest(
      ${actors.map(({ credentialId }) => credentialId)}::uuid[],
      ${actors.map(({ kind }) => kind)}::text[],
      ${actors.map(({ name }) => name)}::text[],
      ${actors.map(({ handle }) => handle)}::text[],
      ${actors.map(({ lastAction }) => lastAction)}::text[],
      ${actors.map(({ actions }) => actions)}::bigint[])
    on conflict (owner, repo, credential_id) do update set
      name = excluded.name,
      last_action = excluded.last_action,
      last_action_at = excluded.last_action_at,
      actions = workspace_actors.actions + excluded.actions
    returning is_ended`.execute(tx)
  if (rows.some(({ is_ended: isEnded }) => isEnded)) throw new Problem('access_ended')
  const callers = noted.map(({ action }) => action.caller)
  if ((await findUninvited(tx, { owner, repo }, callers)).length > 0) throw new Problem('access_ended')
}

/** Of a person in a browser, who did it before it is noted. */
export async function noteForParty(
  tx: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  revision: number,
  { kind, name, handle }: ActingParty,
  action: string,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('panel_actions')
    .values({
      owner,
      repo,
      id: revision,
      tab_id: null,
      actor_kind: kind,
      actor_name: name,
      actor_handle: handle,
      action,
      reason: null,
      at: now,
    })
    .execute()
}

/** Of those who act, the credentials whose access a person has ended. */
export async function findEnded(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  callers: readonly Caller[],
): Promise<ReadonlySet<string>> {
  const uninvited = await findUninvited(db, { owner, repo }, callers)
  const outside = callers.filter(({ credential }) => credential.kind !== 'browser')
  const ids = [...new Set(outside.map(({ credential }) => credential.id))]
  if (ids.length === 0) return new Set(uninvited)
  const rows = await db
    .selectFrom('workspace_actors')
    .select('credential_id')
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('credential_id', 'in', ids)
    .where('is_ended', '=', true)
    .execute()
  return new Set([...uninvited, ...rows.map(({ credential_id: id }) => id)])
}

/** The credentials of those who were let in when they began, and may not do this anymore. */
async function findUninvited(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  callers: readonly Caller[],
): Promise<readonly string[]> {
  const invited = callers.flatMap(({ personId, credential, invitedAs }) =>
    invitedAs === undefined ? [] : [{ personId, id: credential.id, role: invitedAs }],
  )
  if (invited.length === 0) return []
  const rows = await db
    .selectFrom('workspace_members')
    .select(['person_id', 'role'])
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('person_id', 'in', [...new Set(invited.map(({ personId }) => personId))])
    .execute()
  const roles = new Map(rows.map((row) => [row.person_id, row.role]))
  const isOut = ({ personId, role }: (typeof invited)[number]) => {
    const now = roles.get(personId)
    return now === undefined || !isAsMuch(now, role)
  }
  return invited.filter(isOut).map(({ id }) => id)
}

/** For whoever has waited since they were admitted: what comes of it is not theirs anymore. */
export async function requireNotEnded(
  db: Db<PanelsTables>,
  ref: WorkspaceRef,
  caller: Caller,
): Promise<void> {
  if ((await findEnded(db, ref, [caller])).size > 0) throw new Problem('access_ended')
}

/** Those after a revision, or the latest `limit` of all; in the order in which they happened. */
export async function listActions(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<PanelAction[]> {
  const rows = await db
    .selectFrom('panel_actions')
    .select(['id', 'tab_id', 'actor_kind', 'actor_name', 'actor_handle', 'action', 'reason', 'at'])
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('id', '>', after)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.toReversed().map((row) => ({
    id: row.id,
    tabId: row.tab_id,
    by: { kind: row.actor_kind, name: row.actor_name, handle: row.actor_handle },
    action: row.action,
    ...(row.reason === null ? {} : { reason: row.reason }),
    at: row.at.toISOString(),
  }))
}
