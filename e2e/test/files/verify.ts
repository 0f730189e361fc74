import type { ContentTables } from '@patchbay/content'
import type { ContentChange, ContentFile } from '@patchbay/contracts/content'
import type { ObjectStore } from '@patchbay/kernel/objects'
import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { applyAsked, describe, type Left, type State, stateAfter, stateAt } from './replay.ts'
import { type Attempt, type Journal, sha256Of } from './writers.ts'

/** A workspace as one request after the other finds it. */
export interface Reader {
  readonly workspace: string
  /** Fails unless the answer is a success. */
  get(path: string): Promise<Response>
}

interface Version {
  readonly path: string
  readonly revision: number
  readonly sha256: string | null
}

const LANES = 8
const OLD_REVISIONS = 20
const MOST_PAGES = 1_000

/** Compares the history and the files of a workspace with what its writers were told. Answers what does not fit. */
export async function findDeviations(
  db: Db<ContentTables>,
  reader: Reader,
  journal: Journal,
): Promise<{ readonly faults: readonly string[]; readonly states: readonly State[] }> {
  const { workspace } = reader
  const faults: string[] = []
  const changes = await readHistory(reader)
  const attempts = new Map(
    journal.attempts.filter((each) => each.workspace === workspace).map((each) => [each.id, each]),
  )
  const states: State[] = [new Map()]
  const versions = await readVersions(db, workspace)
  const made = new Map<string, number>()
  for (const [index, { revision, reason, paths, by }] of changes.entries()) {
    const attempt = attempts.get(reason ?? '')
    if (revision !== index + 1) faults.push(`revision ${index + 1} is missing`)
    if (attempt === undefined) {
      faults.push(`revision ${revision} was made by nobody: ${reason}`)
      break
    }
    if (made.has(attempt.id)) faults.push(`${attempt.id} was done twice`)
    made.set(attempt.id, revision)
    if (by.name !== attempt.writer) faults.push(`${attempt.id} is said to be of ${by.name}`)
    const left = leftBy(versions.get(revision) ?? [])
    const fault = compare(states, attempt, left, paths)
    if (fault !== undefined) faults.push(`${attempt.id}, revision ${revision}: ${fault}`)
    states.push(stateAfter(stateAt(states, index), revision, left))
  }
  if (versions.size > changes.length) faults.push('there are versions of no change')
  for (const attempt of attempts.values()) {
    const fault = compareAnswer(states, attempt, made.get(attempt.id))
    if (fault !== undefined) faults.push(`${attempt.id}: ${fault}`)
  }
  faults.push(...compareReads(states, workspace, journal))
  faults.push(...(await comparePresent(reader, states)))
  faults.push(...(await compareBytes(reader, [...versions.values()].flat())))
  return { faults, states }
}

async function readHistory(reader: Reader): Promise<ContentChange[]> {
  const changes: ContentChange[] = []
  let cursor = ''
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await reader.get(`/changes?limit=1000${cursor}`)
    const { items, nextCursor } = (await answer.json()) as {
      items: ContentChange[]
      nextCursor: string | null
    }
    changes.push(...items)
    if (nextCursor === null) return changes.toReversed()
    cursor = `&cursor=${nextCursor}`
  }
  throw new Error('the history does not end')
}

async function readVersions(db: Db<ContentTables>, workspace: string): Promise<Map<number, Version[]>> {
  const [owner = '', repo = ''] = workspace.split('/')
  const rows = await db
    .selectFrom('content_versions')
    .innerJoin('contents', 'contents.id', 'content_id')
    .select(['path', 'content_versions.revision', 'sha256'])
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .execute()
  return Map.groupBy(rows, ({ revision }) => revision)
}

const leftBy = (versions: readonly Version[]): Left =>
  new Map(versions.map(({ path, sha256 }) => [path, sha256]))

const text = (left: Left) => JSON.stringify([...left].toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Whether a change is what was asked for, whole. */
function compare(
  states: readonly State[],
  { asked }: Attempt,
  left: Left,
  paths: number,
): string | undefined {
  if (left.size !== paths) return `${left.size} paths instead of the ${paths} that are told`
  try {
    const wanted = applyAsked(states, asked)
    return text(wanted) === text(left) ? undefined : `${text(left)} instead of ${text(wanted)}`
  } catch (error) {
    return `it should have been refused: ${String(error)}`
  }
}

/** Whether what a writer was told is true. */
function compareAnswer(
  states: readonly State[],
  { asked, outcome }: Attempt,
  revision: number | undefined,
): string | undefined {
  if (outcome.kind === 'unknown') return undefined
  if (outcome.kind === 'refused')
    return revision === undefined ? undefined : `refused (${outcome.code}) and made revision ${revision}`
  if (revision !== undefined && revision !== outcome.revision)
    return `said to be revision ${outcome.revision} and is ${revision}`
  if (outcome.kind === 'written') {
    const [put] = asked.kind === 'operations' ? asked.operations : []
    const there = states[outcome.revision]?.get(put?.path ?? '')
    const isTrue =
      put?.op === 'put' &&
      put.sha256 === outcome.sha256 &&
      there?.revision === outcome.revision &&
      there.sha256 === outcome.sha256
    return isTrue ? undefined : `told ${JSON.stringify(outcome)}, there was ${JSON.stringify(there)}`
  }
  if ((revision === undefined) !== (outcome.paths === 0))
    return `${outcome.paths} paths acknowledged, revision ${revision} in the history`
  if (outcome.paths > 0) return undefined
  const changed = applyAsked(states.slice(0, outcome.revision + 1), asked).size
  return changed === 0 ? undefined : `${changed} paths should have changed`
}

/** What was read while others wrote: a file as some change had left it, and all files as they were at one moment. */
function compareReads(states: readonly State[], workspace: string, journal: Journal): string[] {
  const faults: string[] = []
  for (const read of journal.reads.filter((each) => each.workspace === workspace)) {
    const { path, revision, sha256, asOf } = read
    if (states[revision]?.get(path)?.sha256 !== sha256) faults.push(`read: ${JSON.stringify(read)}`)
    if (asOf !== undefined && states[asOf]?.get(path)?.revision !== revision)
      faults.push(`read as of ${asOf}: ${JSON.stringify(read)}`)
  }
  const revisionOf = new Map(states.map((state, revision) => [describe(state), revision]))
  for (const { revision, files } of journal.lists.filter((each) => each.workspace === workspace)) {
    const found = revisionOf.get(files.toSorted().join('\n'))
    if (found === undefined || found < revision)
      faults.push(`listed at ${revision}: ${found === undefined ? 'no state that ever was' : found}`)
  }
  return faults
}

/** What the server says is there now, and was there at some of the revisions. */
async function comparePresent(reader: Reader, states: readonly State[]): Promise<string[]> {
  const faults: string[] = []
  const last = states.length - 1
  const answer = await reader.get('?recursive=true&limit=1000')
  const { revision, files } = (await answer.json()) as { revision: number; files: ContentFile[] }
  const listed = new Map(files.map((file) => [file.path, file]))
  if (revision !== last || describe(listed) !== describe(stateAt(states, last)))
    faults.push(`at ${revision} of ${last} there is ${describe(listed)}`)
  for (let sample = 0; sample < Math.min(OLD_REVISIONS, last); sample += 1) {
    const at = Math.ceil((last * (sample + 1)) / Math.min(OLD_REVISIONS, last))
    const paths = await readLeft(reader, at)
    const before = stateAt(states, at - 1)
    if (describe(stateAfter(before, at, paths)) !== describe(stateAt(states, at)))
      faults.push(`revision ${at} is told as ${text(paths)}`)
    for (const [path, file] of stateAt(states, at)) {
      const old = await reader.get(`/content?path=${encodeURIComponent(path)}&revision=${at}`)
      if (sha256Of(await old.bytes()) !== file.sha256) faults.push(`${path} as of ${at} has other bytes`)
    }
  }
  return faults
}

async function readLeft(reader: Reader, revision: number): Promise<Left> {
  const answer = await reader.get(`/changed-paths?after=${revision - 1}&until=${revision}&limit=1000`)
  const { items } = (await answer.json()) as {
    items: { readonly path: string; readonly content: { readonly sha256: string } | null }[]
  }
  return new Map(items.map(({ path, content }) => [path, content?.sha256 ?? null]))
}

/** Every content that the history names, once. */
async function compareBytes(reader: Reader, versions: readonly Version[]): Promise<string[]> {
  const faults: string[] = []
  const contents = [...new Map(versions.map((version) => [version.sha256, version])).values()]
  const work = contents.filter(({ sha256 }) => sha256 !== null).values()
  const lane = async () => {
    for (const { path, revision, sha256 } of work) {
      const answer = await reader.get(`/content?path=${encodeURIComponent(path)}&revision=${revision}`)
      if (sha256Of(await answer.bytes()) !== sha256) faults.push(`${path} of ${revision} has other bytes`)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return faults
}

/** Of every workspace that holds files: what is counted and what there is. */
export async function readCounts(db: Db<ContentTables>) {
  const { rows } = await sql<{ readonly counted: string; readonly real: string }>`
    select concat_ws(' ', repo, files, bytes, stored_bytes) as counted, concat_ws(' ', repo,
      (select count(*) from content_files where content_id = id),
      (select coalesce(sum(size), 0) from content_files where content_id = id),
      (select coalesce(sum(size), 0) from content_blobs where content_id = id)) as real
    from contents order by repo`.execute(db)
  return { counted: rows.map(({ counted }) => counted), real: rows.map(({ real }) => real) }
}

/** Contents that some version names, and nothing else. */
export async function readNamed(db: Db<ContentTables>): Promise<string[]> {
  const { rows } = await sql<{ readonly sha256: string }>`
    select distinct sha256 from content_versions where sha256 is not null`.execute(db)
  return rows.map(({ sha256 }) => sha256).toSorted()
}

export async function readStored(objects: ObjectStore): Promise<string[]> {
  const stored: string[] = []
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { objects: listed, next } = await objects.list({
      limit: 1_000,
      ...(after === undefined ? {} : { after }),
    })
    stored.push(...listed.map(({ sha256 }) => sha256))
    if (next === undefined) return stored.toSorted()
    after = next
  }
  throw new Error('the store does not end')
}
