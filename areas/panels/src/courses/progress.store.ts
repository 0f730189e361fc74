import { COURSE_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { PanelsTables } from '../tables.ts'

/** Somebody's course. */
export interface CourseOf extends WorkspaceRef {
  readonly personId: string
  readonly folder: string
}

export async function findProgress(
  db: Db<PanelsTables>,
  { owner, repo, personId, folder }: CourseOf,
): Promise<string[]> {
  const row = await db
    .selectFrom('course_progress')
    .select('done')
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('person_id', '=', personId)
    .where('folder', '=', folder)
    .executeTakeFirst()
  return Object.keys(row?.done ?? {}).toSorted()
}

export interface Marks {
  readonly done: readonly string[]
  readonly notDone: readonly string[]
}

/** `undefined`: it would be more than a person may have, and nothing was changed. */
export async function recordProgress(
  db: Db<PanelsTables>,
  course: CourseOf,
  marks: Marks,
  now: Date,
): Promise<string[] | undefined> {
  const { owner, repo, personId, folder } = course
  return await db.transaction().execute(async (tx) => {
    // Two first steps of one person in two courses would each not count the other.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`courses of ${personId} in ${owner}/${repo}`}, 0))`.execute(
      tx,
    )
    const added = JSON.stringify(Object.fromEntries(marks.done.map((mark) => [mark, true])))
    const { rows } = await sql<{ done: Readonly<Record<string, true>> }>`
      insert into course_progress as kept (owner, repo, person_id, folder, done, changed_at)
      select ${owner}, ${repo}, ${personId}::uuid, ${folder}, ${added}::jsonb - ${[...marks.notDone]}::text[], ${now}
      where exists (
          select from course_progress
          where owner = ${owner} and repo = ${repo} and person_id = ${personId}::uuid and folder = ${folder})
        or (
          select count(*) from course_progress
          where owner = ${owner} and repo = ${repo} and person_id = ${personId}::uuid) < ${COURSE_LIMITS.courses}
      on conflict (owner, repo, person_id, folder) do update
        set done = (kept.done || ${added}::jsonb) - ${[...marks.notDone]}::text[], changed_at = excluded.changed_at
        where (
          select count(*) from jsonb_object_keys((kept.done || ${added}::jsonb) - ${[...marks.notDone]}::text[])
        ) <= ${COURSE_LIMITS.marks}
      returning done`.execute(tx)
    const [row] = rows
    return row === undefined ? undefined : Object.keys(row.done).toSorted()
  })
}
