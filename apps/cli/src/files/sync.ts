import { openAsBlob, watch as watchFolder } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem, Unanswered, type WorkspaceFiles } from '@patchbay/client/workspaces'
import { forEachConcurrent } from '@patchbay/primitives/async'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { counted, tableOf } from '../terminal/table.ts'
import {
  type AskedWorkspace,
  parseWorkspace,
  type ServerWord,
  withWorkspace,
} from '../workspace/open-workspaces.ts'
import type { Wanted } from './contents.ts'
import {
  conflictName,
  type LocalFile,
  type PullStep,
  type PushStep,
  planPull,
  planPush,
  type RemoteFile,
} from './plan.ts'
import {
  deleteFile,
  fetchContents,
  makeWorkingCopy,
  OWN_FOLDER,
  openWorkingCopy,
  placeFile,
  renameFile,
  type Scan,
  saveWorkingCopy,
  scan,
  type WorkingCopy,
  withWorkingCopy,
} from './working-copy.io.ts'

/** What became of a path, for people and for programs. */
interface Line {
  readonly what: 'new' | 'changed' | 'deleted' | 'restored' | 'kept' | 'conflict' | 'busy'
  readonly path: string
  /** Where the file of this side is now. */
  readonly copy?: string
}

const UPLOADS_AT_ONCE = 4
const WAIT_SECONDS = 25
/** Editors write a file in several steps. */
const SETTLE_MS = 300
const AWAY_MS = 2_000

/** `patchbay files clone`. */
export async function clone(
  task: Task,
  text: string,
  folder: string | undefined,
  words: ServerWord,
): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'files:read', async (asked) => {
    const root = resolve(folder ?? parseWorkspace(text).repo)
    // Before a folder is made for something that is not there.
    await asked.workspace.files.changedSince(Number.MAX_SAFE_INTEGER)
    const copy = await makeWorkingCopy(root, asked.server, asked.name)
    const lines = await withWorkingCopy(root, task.surroundings, () => pullInto(task, asked, copy))
    return {
      json: { folder: root, workspace: asked.name, revision: copy.revision, files: lines.length },
      text: `${root} has ${counted(lines.length, 'file')} of ${asked.name}, at revision ${copy.revision}.`,
    }
  })
}

/** `patchbay files status`. */
export async function status(task: Task): Promise<Outcome> {
  return await inWorkingCopy(task, 'files:read', async (asked, copy) => {
    const { files: local, skipped } = await scan(copy)
    const here = planPush(copy.base, local).map(pushLine(copy))
    const remote = await remoteSince(asked.workspace.files, copy)
    const there = planPull(copy.base, local, remote.files).flatMap(expectedLine(copy))
    const parts = [
      `${asked.name}, revision ${copy.revision}${remote.revision > copy.revision ? ` (there: ${remote.revision})` : ''}`,
      ...(here.length === 0 ? [] : [`Changed here, send with "patchbay files push":\n${linesOf(here)}`]),
      ...(there.length === 0 ? [] : [`Changed there, fetch with "patchbay files pull":\n${linesOf(there)}`]),
      ...(here.length + there.length === 0 ? ['Both sides are the same.'] : []),
      ...skippedWords(skipped),
    ]
    return {
      json: { workspace: asked.name, revision: copy.revision, here, there, skipped },
      text: parts.join('\n'),
    }
  })
}

/** `patchbay files pull`. */
export async function pull(task: Task): Promise<Outcome> {
  return await inWorkingCopy(task, 'files:read', async (asked, copy) => {
    const lines = await pullInto(task, asked, copy)
    return outcomeOf(copy, lines, 'Nothing new.')
  })
}

/** `patchbay files push`. */
export async function push(task: Task, words: { readonly reason?: string }): Promise<Outcome> {
  return await inWorkingCopy(task, 'files:write', async (asked, copy) => {
    const lines = await pushFrom(task, asked, copy, words.reason)
    return outcomeOf(copy, lines, 'Nothing to send.')
  })
}

/** `patchbay files watch`: both ways, until somebody ends it. A server that is away is waited for. */
export async function watch(task: Task): Promise<Outcome> {
  const { signal } = task
  return await inWorkingCopy(task, 'files:write', async (asked, copy) => {
    task.notify(`Keeping ${copy.root} and ${asked.name} the same. End it with Ctrl-C.`)
    using local = localChanges(copy.root, signal)
    let remote: Promise<unknown> | undefined
    let isAway = false
    while (!signal.aborted) {
      try {
        const lines = [...(await pullInto(task, asked, copy)), ...(await pushUnlessBehind(task, asked, copy))]
        if (isAway) task.notify(`${asked.server} is there again.`)
        isAway = false
        if (lines.length > 0) task.notify(linesOf(lines))
        // One at a time: one that still waits wakes up for everything after it as well.
        remote ??= asked.workspace.files
          .changedSince(copy.revision, { waitSeconds: WAIT_SECONDS })
          .finally(() => (remote = undefined))
        await Promise.race([local.next(), remote])
      } catch (error) {
        if (signal.aborted) break
        if (!mayPass(error)) throw error
        if (!isAway) task.notify(`${asked.server} cannot be reached right now. Waiting for it.`)
        isAway = true
        await sleep(AWAY_MS, undefined, { signal }).catch(() => undefined)
      }
    }
    return { json: { workspace: asked.name, revision: copy.revision }, text: '' }
  })
}

function mayPass(error: unknown): boolean {
  return error instanceof Unanswered || (error instanceof Problem && error.status >= 500)
}

async function pushUnlessBehind(task: Task, asked: AskedWorkspace, copy: WorkingCopy): Promise<Line[]> {
  try {
    return await pushFrom(task, asked, copy, undefined)
  } catch (error) {
    // Somebody was faster: the next round fetches what they did.
    if (error instanceof Refusal && error.code === 'file_changed') return []
    throw error
  }
}

/** `next` resolves when something in the folder has changed, and a moment has passed. */
function localChanges(root: string, signal: AbortSignal): Disposable & { next(): Promise<void> } {
  let wake: () => void = () => undefined
  let isDue = false
  const watcher = watchFolder(root, { recursive: true }, (_event, name) => {
    if (name?.split(/[/\\]/)[0] === OWN_FOLDER) return
    isDue = true
    wake()
  })
  signal.addEventListener('abort', () => wake(), { once: true })
  return {
    async next() {
      if (!isDue && !signal.aborted) await new Promise<void>((resolveNext) => (wake = resolveNext))
      isDue = false
      if (!signal.aborted) await sleep(SETTLE_MS)
    },
    [Symbol.dispose]: () => watcher.close(),
  }
}

async function inWorkingCopy(
  task: Task,
  scope: 'files:read' | 'files:write',
  work: (asked: AskedWorkspace, copy: WorkingCopy) => Promise<Outcome>,
): Promise<Outcome> {
  const { root, workspace, server } = await openWorkingCopy('.')
  return await withWorkspace(task, workspace, { server }, scope, (asked) =>
    withWorkingCopy(root, task.surroundings, async () => await work(asked, await openWorkingCopy(root))),
  )
}

interface Remote {
  readonly revision: number
  readonly files: ReadonlyMap<string, RemoteFile>
}

/** What happened there since; where that is no longer known, everything that is there. */
async function remoteSince(files: WorkspaceFiles, { revision: since, base }: WorkingCopy): Promise<Remote> {
  try {
    if (since > 0) {
      const { revision, items } = await files.changedSince(since)
      return {
        revision,
        files: new Map(items.map(({ path, revision: at, content }) => [path, { revision: at, content }])),
      }
    }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'history_gone') throw error
  }
  const { revision, files: all } = await files.list({ recursive: true })
  const there = new Map<string, RemoteFile>(
    all.map(({ path, revision: at, sha256, size }) => [path, { revision: at, content: { sha256, size } }]),
  )
  for (const path of base.keys()) if (!there.has(path)) there.set(path, { revision, content: null })
  return { revision, files: there }
}

async function pullInto(
  task: Task,
  { workspace: { files } }: AskedWorkspace,
  copy: WorkingCopy,
): Promise<Line[]> {
  const { files: local } = await scan(copy)
  const remote = await remoteSince(files, copy)
  const steps = planPull(copy.base, local, remote.files)
  const lines: Line[] = []
  const { root, base } = copy
  for (const step of steps) {
    if (step.kind === 'delete') {
      if (await deleteFile(root, step.path, local.get(step.path))) {
        base.delete(step.path)
        lines.push({ what: 'deleted', path: step.path })
      } else lines.push({ what: 'busy', path: step.path })
    } else if (step.kind === 'keep') {
      base.delete(step.path)
      lines.push({ what: 'kept', path: step.path })
    } else if (step.kind === 'note') noteSame(base, step, local.get(step.path))
  }
  await fetchFiles(task, files, copy, steps, local, lines)
  // Whatever was left alone is looked at again the next time.
  if (!lines.some(({ what }) => what === 'busy')) copy.revision = remote.revision
  await saveWorkingCopy(copy)
  return lines.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function noteSame(
  base: WorkingCopy['base'],
  { path, remote: { revision, content } }: PullStep & { kind: 'note' },
  here: LocalFile | undefined,
): void {
  if (content === null || here === undefined) base.delete(path)
  else base.set(path, { revision, ...here })
}

async function fetchFiles(
  task: Task,
  files: WorkspaceFiles,
  copy: WorkingCopy,
  steps: readonly PullStep[],
  local: ReadonlyMap<string, LocalFile>,
  lines: Line[],
): Promise<void> {
  const { root, base } = copy
  const fetched = steps.flatMap((step) => (step.kind === 'fetch' || step.kind === 'keep-both' ? [step] : []))
  const byPath = new Map(fetched.map((step) => [step.path, step]))
  const wanted = fetched.flatMap(({ path, remote: { content } }) =>
    content === null ? [] : [{ path, ...content }],
  )
  using progress = task.progress('Fetching')
  const total = wanted.reduce((all, { size }) => all + size, 0)
  let done = 0
  const taken = new Set(local.keys())
  const place = async (
    arrived: string,
    { path, sha256, size }: { path: string; sha256: string; size: number },
  ) => {
    const step = byPath.get(path)
    if (step === undefined) return
    let here = local.get(path)
    let aside: string | undefined
    if (step.kind === 'keep-both') {
      aside = conflictName(path, new Date(task.surroundings.now()), (name) => taken.has(name))
      taken.add(aside)
      renameFile(root, path, aside)
      here = undefined
    }
    const placed = placeFile(root, arrived, path, here)
    if (placed === undefined) {
      lines.push({ what: 'busy', path })
      return
    }
    const known = base.has(path)
    base.set(path, { revision: step.remote.revision, sha256, size, ...placed })
    if (aside !== undefined) lines.push({ what: 'conflict', path, copy: aside })
    else if (step.kind === 'fetch' && step.wasDeleted) lines.push({ what: 'restored', path })
    else lines.push({ what: known ? 'changed' : 'new', path })
  }
  await fetchContents(files, root, wanted, place, (bytes) => {
    done += bytes
    progress.update(done, total)
  })
}

async function pushFrom(
  task: Task,
  { workspace: { files }, advise }: AskedWorkspace,
  copy: WorkingCopy,
  reason: string | undefined,
): Promise<Line[]> {
  const { files: local, skipped } = await scan(copy)
  for (const words of skippedWords(skipped)) task.notify(words)
  const steps = planPush(copy.base, local)
  if (steps.length === 0) return []
  await uploadContents(
    task,
    files,
    copy.root,
    steps.flatMap((step) => (step.kind === 'put' ? [step] : [])),
  )
  const operations = steps.map((step) =>
    step.kind === 'delete'
      ? { op: 'delete' as const, path: step.path, ifRevision: step.ifRevision }
      : { op: 'put' as const, path: step.path, sha256: step.sha256, ifRevision: step.ifRevision },
  )
  const { revision } = await files.change(operations, { reason }).catch((error: unknown) => {
    throw error instanceof Problem && error.code === 'file_changed' ? behindWords(error, advise) : error
  })
  const lines = steps.map(pushLine(copy))
  for (const step of steps) {
    const here = local.get(step.path)
    if (step.kind === 'delete' || here === undefined) copy.base.delete(step.path)
    else copy.base.set(step.path, { revision, ...here })
  }
  // Unless somebody else was in between: then the next pull tells.
  if (revision === copy.revision + 1) copy.revision = revision
  await saveWorkingCopy(copy)
  return lines
}

/** Each content once, and only what is not there. */
export async function uploadContents(
  task: Task,
  files: WorkspaceFiles,
  root: string,
  contents: readonly Wanted[],
): Promise<void> {
  const written = new Map(contents.map((content) => [content.sha256, content]))
  const missing = await files.missing([...written.keys()])
  const wanted = missing.flatMap((sha256) => written.get(sha256) ?? [])
  using progress = task.progress('Sending')
  const total = wanted.reduce((all, { size }) => all + size, 0)
  let done = 0
  await forEachConcurrent(wanted, UPLOADS_AT_ONCE, async ({ path, sha256, size }) => {
    await files.upload(sha256, await openAsBlob(join(root, path))).catch((error: unknown) => {
      if (!(error instanceof Problem) || error.code !== 'content_mismatch') throw error
      throw new Refusal(
        EXIT.notYet,
        'file_busy',
        `${path} was changed while it was being sent. Nothing was changed there.\nTry again.`,
      )
    })
    done += size
    progress.update(done, total)
  })
}

function behindWords({ extensions }: Problem, advise: AskedWorkspace['advise']): Refusal {
  const { path: named } = extensions
  const path = typeof named === 'string' ? stripHidden(named) : 'A file'
  return new Refusal(
    EXIT.notYet,
    'file_changed',
    `${path} was changed there as well. Nothing was sent.\nFetch it with ${advise('files pull')} first; what you changed is kept.`,
    { ...extensions },
  )
}

const pushLine =
  ({ base }: WorkingCopy) =>
  (step: PushStep): Line => {
    if (step.kind === 'delete') return { what: 'deleted', path: step.path }
    return { what: base.has(step.path) ? 'changed' : 'new', path: step.path }
  }

const expectedLine =
  ({ base }: WorkingCopy) =>
  (step: PullStep): Line[] => {
    if (step.kind === 'note') return []
    if (step.kind === 'delete') return [{ what: 'deleted', path: step.path }]
    if (step.kind === 'keep') return [{ what: 'kept', path: step.path }]
    if (step.kind === 'keep-both') return [{ what: 'conflict', path: step.path }]
    return [{ what: step.wasDeleted ? 'restored' : base.has(step.path) ? 'changed' : 'new', path: step.path }]
  }

const MEANINGS: Readonly<Partial<Record<Line['what'], string>>> = {
  restored: 'deleted here, changed there: it is back',
  kept: 'deleted there, changed here: it stays, as a new file',
  busy: 'is being changed right now: left alone',
}

function linesOf(lines: readonly Line[]): string {
  return tableOf(
    lines.map(({ what, path, copy }) => {
      const more = copy === undefined ? MEANINGS[what] : `yours is now ${stripHidden(copy)}`
      return [what, more === undefined ? stripHidden(path) : `${stripHidden(path)}  (${more})`]
    }),
    '  ',
  )
}

function outcomeOf({ workspace, revision }: WorkingCopy, lines: readonly Line[], nothing: string): Outcome {
  const text =
    lines.length === 0
      ? nothing
      : `${linesOf(lines)}\n${counted(lines.length, 'file')}, revision ${revision}.`
  return { json: { workspace, revision, files: lines }, text }
}

function skippedWords(skipped: Scan['skipped']): string[] {
  if (skipped.length === 0) return []
  const shown = skipped.slice(0, 5).map((path) => `  ${stripHidden(path)}`)
  const more = skipped.length > shown.length ? [`  and ${skipped.length - shown.length} more`] : []
  return [`Left out, because a workspace cannot hold it:\n${[...shown, ...more].join('\n')}`]
}
