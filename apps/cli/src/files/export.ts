import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  type ChangedPath,
  type ContentChange,
  type ContentFile,
  Problem,
  type WorkspaceFiles,
} from '@patchbay/client/workspaces'
import { pathFault } from '@patchbay/contracts/content'
import { forEachConcurrent } from '@patchbay/primitives/async'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { counted } from '../terminal/table.ts'
import { type AskedWorkspace, type ServerWord, withWorkspace } from '../workspace/open-workspaces.ts'
import { batchesOf, checkedContent, chunksOf, type Wanted } from './contents.ts'
import { gitIn } from './git.io.ts'
import { fetchContents, makeEmptyFolder, OWN_FOLDER, placeFile } from './working-copy.io.ts'

/** `patchbay files export`: the files as they are, or with `--git` a repository with every change. */
export async function exportFiles(
  task: Task,
  text: string,
  folder: string,
  words: ServerWord & { readonly git?: boolean },
): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'files:read', async (asked) => {
    const root = resolve(folder)
    // Before a folder is made for something that is not there.
    await asked.workspace.files.changedSince(Number.MAX_SAFE_INTEGER)
    await makeEmptyFolder(root)
    const [write, own] = words.git === true ? [writeRepository, '.git'] : [writeFiles, OWN_FOLDER]
    return await write(task, asked, root).catch(async (error: unknown) => {
      // Half of it would be taken for the whole.
      await rm(join(root, own), { recursive: true, force: true })
      throw error
    })
  })
}

async function writeFiles(task: Task, asked: AskedWorkspace, root: string): Promise<Outcome> {
  const { files } = asked.workspace
  const { revision, files: listed } = await files.list({ recursive: true })
  const arrived = join(root, OWN_FOLDER, 'arrived')
  for (const folder of ['arriving', 'arrived'])
    await mkdir(join(root, OWN_FOLDER, folder), { recursive: true })
  using progress = task.progress('Fetching')
  const total = listed.reduce((all, { size }) => all + size, 0)
  let done = 0
  const place = async (file: string, { path }: Wanted) => {
    placeFile(arrived, file, requirePath(path), undefined)
  }
  await fetchContents(files, root, listed, place, (bytes) => {
    done += bytes
    progress.update(done, total)
  })
  // Only now, when all of them are there.
  for (const name of await readdir(arrived)) await rename(join(arrived, name), join(root, name))
  await rm(join(root, OWN_FOLDER), { recursive: true })
  return {
    json: { folder: root, workspace: asked.name, revision, files: listed.length },
    text: `${root} has ${counted(listed.length, 'file')} of ${asked.name}, as of revision ${revision}.`,
  }
}

const BRANCH = 'refs/heads/main'

async function writeRepository(task: Task, asked: AskedWorkspace, root: string): Promise<Outcome> {
  const git = gitIn(task, root)
  // A template of this machine would bring hooks along, which would then run.
  await git.run(['init', '--quiet', '--template='])
  await git.run(['symbolic-ref', 'HEAD', BRANCH])
  const changes = (await asked.workspace.files.history()).toReversed()
  if (changes.length > 0) {
    using progress = task.progress('Exporting changes', { unit: 'things' })
    const stream = repositoryStream(asked, changes, (done) => progress.update(done, changes.length))
    await git.run(['fast-import', '--quiet', '--done', '--date-format=raw'], stream)
    await git.run(['reset', '--quiet', '--hard'])
  }
  const revision = changes.at(-1)?.revision ?? 0
  return {
    json: { folder: root, workspace: asked.name, revision, commits: changes.length },
    text: `${root} is a Git repository with ${counted(changes.length, 'commit')} of ${asked.name}, up to revision ${revision}.`,
  }
}

const LOOKUPS_AT_ONCE = 8
/** Of the changes that are looked up together: each of them has its paths in memory. */
const WINDOW_CHANGES = 500
const WINDOW_PATHS = 20_000

/** What `git fast-import` reads. Every content is fetched once, and none is held whole. */
async function* repositoryStream(
  { server, workspace: { files } }: AskedWorkspace,
  changes: readonly ContentChange[],
  onChange: (done: number) => void,
): AsyncGenerator<string | Uint8Array> {
  const host = new URL(server).hostname
  const marks = new Map<string, number>()
  let done = 0
  for (const window of windowsOf(changes)) {
    const touched = new Map<number, readonly ChangedPath[]>()
    await forEachConcurrent(window, LOOKUPS_AT_ONCE, async ({ revision }) => {
      touched.set(revision, await pathsOf(files, revision, revision === changes[0]?.revision))
    })
    yield* newContents(files, [...touched.values()].flat(), marks)
    for (const change of window) {
      yield* commitOf(change, touched.get(change.revision) ?? [], marks, host)
      done += 1
      onChange(done)
    }
  }
  yield 'done\n'
}

function windowsOf(changes: readonly ContentChange[]): ContentChange[][] {
  const windows: ContentChange[][] = []
  let paths = 0
  for (const change of changes) {
    const last = windows.at(-1)
    if (last === undefined || last.length >= WINDOW_CHANGES || paths + change.paths > WINDOW_PATHS) {
      windows.push([change])
      paths = change.paths
    } else {
      last.push(change)
      paths += change.paths
    }
  }
  return windows
}

/** What a change left of every path that it touched. The oldest one that is kept stands for everything before it. */
async function pathsOf(
  files: WorkspaceFiles,
  revision: number,
  isOldest: boolean,
): Promise<readonly ChangedPath[]> {
  if (isOldest && revision > 1) return await stateAt(files, revision)
  return (await files.changedSince(revision - 1, { until: revision })).items
}

/** Every file as the oldest kept change had left it: those that are still so, and what the touched ones were. */
async function stateAt(files: WorkspaceFiles, revision: number): Promise<ChangedPath[]> {
  const { files: listed } = await files.list({ recursive: true })
  const found = new Map<string, ChangedPath>()
  const add = (
    path: string,
    { sha256, size, mediaType }: Pick<ContentFile, 'sha256' | 'size' | 'mediaType'>,
  ) => found.set(path, { path, revision, movedFrom: null, content: { sha256, size, mediaType } })
  for (const file of listed) if (file.revision <= revision) add(file.path, file)
  const { items: later } = await files.changedSince(revision)
  await forEachConcurrent(later, LOOKUPS_AT_ONCE, async ({ path }) => {
    const opened = await files.open(path, { revision }).catch(unlessMissing)
    if (opened === undefined) return
    await opened.body.cancel()
    add(path, opened)
  })
  return [...found.values()]
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof Problem) || error.code !== 'file_not_found') throw error
}

async function* newContents(
  files: WorkspaceFiles,
  touched: readonly ChangedPath[],
  marks: Map<string, number>,
): AsyncGenerator<string | Uint8Array> {
  const wanted = new Map<string, Wanted>()
  for (const { path, content } of touched)
    if (content !== null && !marks.has(content.sha256)) wanted.set(content.sha256, { path, ...content })
  for (const batch of batchesOf([...wanted.values()], ({ size }) => size)) {
    const read = chunksOf(await files.readContents(batch.map(({ sha256 }) => sha256)))
    for (const each of batch) {
      const mark = marks.size + 1
      marks.set(each.sha256, mark)
      yield `blob\nmark :${mark}\ndata ${each.size}\n`
      yield* checkedContent(read, each)
      yield '\n'
    }
  }
}

function* commitOf(
  { by, at, author, reason, paths: count }: ContentChange,
  touched: readonly ChangedPath[],
  marks: ReadonlyMap<string, number>,
  host: string,
): Generator<string> {
  const email = `${by.handle}@${host}`
  const message = `${reason ?? `Change ${counted(count, 'file')}`}\n`
  yield `commit ${BRANCH}\nauthor ${personOf(author?.name ?? by.handle, email, author?.at ?? at)}\n`
  yield `committer ${personOf(by.handle, email, at)}\ndata ${Buffer.byteLength(message)}\n${message}`
  // Before what is written: a folder that was a file before would be deleted with it.
  for (const { path, content } of touched) if (content === null) yield `D ${quoted(path)}\n`
  for (const { path, content } of touched)
    if (content !== null) yield `M 100644 :${marks.get(content.sha256)} ${quoted(path)}\n`
  yield '\n'
}

/** Without the signs that end a name there. */
function personOf(name: string, email: string, at: string): string {
  const plain = (text: string) => text.replaceAll(/[<>\p{Cc}]/gu, '').trim()
  const seconds = Math.max(0, Math.floor(Date.parse(at) / 1_000))
  return `${plain(name) || 'unknown'} <${plain(email)}> ${seconds} +0000`
}

/** A path that a server must not have could be one that Git acts on. */
function requirePath(path: string): string {
  const fault = pathFault(path)
  if (fault === undefined) return path
  throw new Refusal(
    EXIT.failed,
    'path_refused',
    `The server names a path that no workspace can hold. ${fault}`,
  )
}

/** What could end a quoted path is in none. */
const quoted = (path: string) => `"${requirePath(path)}"`
