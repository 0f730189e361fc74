import { SCREENSHOT_LIMITS } from '@patchbay/contracts/limits'
import type {
  ScreenshotMethod,
  ScreenshotScope,
  TakenPicture,
  WorkspaceRef,
} from '@patchbay/contracts/panels'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { type SelectQueryBuilder, sql } from 'kysely'
import { type NewAction, noteAction } from '../access/action.store.ts'
import { moveRevision } from '../locks.store.ts'
import type { PanelsTables } from '../tables.ts'
import type { TakenCapture } from './capture.ts'
import type { PictureSize } from './png.ts'
import type { CaptureTarget } from './request.ts'

/** Of one workspace at a time. A script must not fill the disk with pictures of one day. */
export const CAPTURES_KEPT = 1_000
const CAPTURE_BYTES_KEPT = 2 ** 30
/** Of all workspaces of an owner, who may have a thousand. */
const OWNER_CAPTURES_KEPT = 10_000
const OWNER_BYTES_KEPT = 10 * 2 ** 30
/** For a picture that is under way when the caller stops waiting. */
const UPLOAD_GRACE_MS = 10_000

interface NewCapture extends CaptureTarget {
  readonly id: string
  readonly scope: ScreenshotScope
  readonly method: ScreenshotMethod
  readonly timeoutMs: number
}

/**
 * Under the lock of the workspace's row, so that of many at once none takes a place too much. A picture that is still to
 * come counts as the largest that it may be: otherwise all of them would come in while none of them counts.
 */
export async function requestCapture(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  { id, scope, method, panelId, tabId, timeoutMs }: NewCapture,
  now: Date,
  action: NewAction,
): Promise<'requested' | 'gone' | 'full'> {
  const expiresAt = new Date(now.getTime() + timeoutMs + UPLOAD_GRACE_MS)
  return await inTransaction(db, async (tx) => {
    const revision = await moveRevision(tx, { owner, repo }, tabId)
    if (revision === undefined) return 'gone'
    const { numAffectedRows = 0n } = await sql`
      insert into captures (id, owner, repo, scope, method, panel_id, tab_id, requested_at, expires_at)
      select ${id}::uuid, ${owner}, ${repo}, ${scope}, ${method}, ${panelId}::uuid, ${tabId}::uuid,
        ${now}::timestamptz, ${expiresAt}::timestamptz
      from (
        select count(*) as pictures, count(*) filter (where repo = ${repo}) as of_workspace,
          coalesce(sum(size), 0) as bytes, coalesce(sum(size) filter (where repo = ${repo}), 0) as bytes_of_workspace
        from (
          select repo, coalesce(bytes, ${sql.lit(SCREENSHOT_LIMITS.bytes)}) as size from captures
          where owner = ${owner} and expires_at > ${now}::timestamptz
        ) kept
      ) usage
      where of_workspace < ${CAPTURES_KEPT} and bytes_of_workspace < ${CAPTURE_BYTES_KEPT}
        and pictures < ${OWNER_CAPTURES_KEPT} and bytes < ${OWNER_BYTES_KEPT}`.execute(tx)
    if (numAffectedRows === 0n) return 'full'
    await noteAction(tx, { owner, repo }, revision, action, now)
    return 'requested'
  })
}

/** It was refused, so nobody waits for its picture anymore, and its place is free at once. */
export async function giveUpCapture(
  db: Db<PanelsTables>,
  at: WorkspaceRef,
  id: string,
  now: Date,
): Promise<void> {
  await db
    .updateTable('captures')
    .set({ expires_at: now })
    .where('id', '=', id)
    .where('owner', '=', at.owner)
    .where('repo', '=', at.repo)
    .where('captured_at', 'is', null)
    .execute()
}

/** Whether a picture is still waited for. */
export async function isAwaited(
  db: Db<PanelsTables>,
  at: WorkspaceRef,
  id: string,
  now: Date,
): Promise<boolean> {
  const row = await awaited(db.selectFrom('captures'), at, id, now).select('id').executeTakeFirst()
  return row !== undefined
}

interface StoredPicture extends PictureSize {
  readonly sha256: string
  readonly bytes: number
}

/**
 * Notes where the picture is, in place of an earlier one: a second browser may have been asked when the first one went.
 * Answers with the object that nothing names anymore, if there is one.
 */
export async function notePicture(
  db: Db<PanelsTables>,
  at: WorkspaceRef,
  id: string,
  { sha256, bytes, width, height }: StoredPicture,
  now: Date,
): Promise<{ readonly isNoted: boolean; readonly unnamed: string | null }> {
  return await inTransaction(db, async (tx) => {
    const row = await tx
      .selectFrom('captures')
      .select(['sha256', 'captured_at', 'expires_at'])
      .where('id', '=', id)
      .where('owner', '=', at.owner)
      .where('repo', '=', at.repo)
      .forUpdate()
      .executeTakeFirst()
    const previous = row?.sha256 ?? null
    if (row === undefined || row.captured_at !== null || row.expires_at <= now)
      return { isNoted: false, unnamed: previous === sha256 ? null : sha256 }
    await tx.updateTable('captures').set({ sha256, bytes, width, height }).where('id', '=', id).execute()
    return { isNoted: true, unnamed: previous === sha256 ? null : previous }
  })
}

/** `undefined`: the browser says that it has handed in what it has not. */
export async function completeCapture(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  id: string,
  { engine, width, height, scale, wasActivated }: TakenPicture,
  now: Date,
): Promise<TakenCapture | undefined> {
  const { numUpdatedRows } = await db
    .updateTable('captures')
    .set({
      engine,
      scale,
      was_activated: wasActivated,
      captured_at: now,
      expires_at: new Date(now.getTime() + SCREENSHOT_LIMITS.keptMs),
    })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('captured_at', 'is', null)
    .where('expires_at', '>', now)
    .where('sha256', 'is not', null)
    .where('width', '=', width)
    .where('height', '=', height)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? await findCapture(db, { owner, repo }, id, now) : undefined
}

export async function findCapture(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  id: string,
  now: Date,
): Promise<TakenCapture | undefined> {
  return await db
    .selectFrom('captures')
    .select(['id', 'scope', 'method', 'panel_id as panelId', 'tab_id as tabId'])
    .select((row) => [
      row.ref('engine').$notNull().as('engine'),
      row.ref('width').$notNull().as('width'),
      row.ref('height').$notNull().as('height'),
      row.ref('scale').$notNull().as('scale'),
      row.ref('was_activated').$notNull().as('wasActivated'),
      row.ref('captured_at').$notNull().as('capturedAt'),
      row.ref('bytes').$notNull().as('bytes'),
      row.ref('sha256').$notNull().as('sha256'),
    ])
    .select('expires_at as expiresAt')
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('captured_at', 'is not', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

function awaited<Row>(
  query: SelectQueryBuilder<PanelsTables, 'captures', Row>,
  { owner, repo }: WorkspaceRef,
  id: string,
  now: Date,
) {
  return query
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('captured_at', 'is', null)
    .where('expires_at', '>', now)
}
