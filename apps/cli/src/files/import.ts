import { lstat, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type FileOperation, Problem, type WorkspaceFiles } from '@patchbay/client/workspaces'
import { foldPath, pathFault } from '@patchbay/contracts/content'
import { FILE_LIMITS } from '@patchbay/contracts/limits'
import { forEachConcurrent } from '@patchbay/primitives/async'
import { displayText, stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { counted } from '../terminal/table.ts'
import { type AskedWorkspace, type ServerWord, withWorkspace } from '../workspace/open-workspaces.ts'
import { batchesOf } from './contents.ts'
import { gitIn } from './git.io.ts'
import { readBlobs, readHistory } from './git-history.ts'
import { IncomingTree, type LeftOut, type Step } from './import-plan.ts'
import { uploadContents } from './sync.ts'
import { scan } from './working-copy.io.ts'

interface ImportWords extends ServerWord {
  readonly into?: string
  readonly reason?: string
}

const REASON_CHARACTERS = 200
const UPLOADS_AT_ONCE = 4

/** `patchbay files import`: a folder as one change, a Git checkout with its history. */
export async function importFiles(
  task: Task,
  text: string,
  folder: string,
  words: ImportWords,
): Promise<Outcome> {
  const root = resolve(folder)
  const into = words.into?.replace(/\/$/, '').normalize('NFC') ?? ''
  const fault = into === '' ? undefined : pathFault(into)
  if (fault !== undefined) throw new Refusal(EXIT.usage, 'bad_arguments', `--into: ${fault}`)
  if (!(await stat(root)).isDirectory())
    throw new Refusal(EXIT.usage, 'bad_arguments', `${root} is no folder.`)
  const isCheckout = await lstat(join(root, '.git')).then(
    () => true,
    () => false,
  )
  if (isCheckout && words.reason !== undefined)
    throw new Refusal(
      EXIT.usage,
      'bad_arguments',
      'Every commit brings its own reason. Leave out --reason, or import a folder that is no Git checkout.',
    )
  return await withWorkspace(task, text, words, 'files:write', async (asked) => {
    await requireRoom(asked, into)
    const tree = new IncomingTree(into, FILE_LIMITS.fileBytes)
    return isCheckout
      ? await importHistory(task, asked, root, tree)
      : await importFolder(task, asked, root, tree, words.reason)
  })
}

/** What is brought in is never mixed with what is there. */
async function requireRoom({ workspace, name, advise }: AskedWorkspace, into: string): Promise<void> {
  const { files } = await workspace.files.list({ recursive: true })
  const target = foldPath(into)
  const isTaken = ({ path }: { readonly path: string }) => `${foldPath(path)}/`.startsWith(`${target}/`)
  if (into === '' ? files.length === 0 : !files.some(isTaken)) return
  const what = into === '' ? `${name} has files already` : `${name} has ${stripHidden(into)} already`
  throw new Refusal(
    EXIT.failed,
    'files_there',
    `${what}, of which nothing was changed.\nImport into a new folder of it with --into <folder>, or into a new workspace. If an import was stopped half way, delete what it brought with ${advise(`files rm ${name} <path>`)} first.`,
  )
}

async function importFolder(
  task: Task,
  { workspace: { files }, name }: AskedWorkspace,
  root: string,
  tree: IncomingTree,
  reason: string | undefined,
): Promise<Outcome> {
  const { files: found, skipped } = await scan({ root, base: new Map() })
  const steps = tree.apply([
    ...[...found].map(([path, { sha256, size }]) => ({ kind: 'file' as const, path, id: sha256, size })),
    ...skipped.map((path) => ({
      kind: 'unfit' as const,
      path,
      why: pathFault(path) ?? 'a link, or no file',
    })),
  ])
  requireFit(tree, root)
  const leftOut = [...tree.leftOut.values()]
  if (steps.length === 0) throw nothingToImport(root, leftOut)
  // Their paths here, which are without the folder that they go to.
  const uploads = [...found].map(([path, { sha256, size }]) => ({ path, sha256, size }))
  const sent = new Set(steps.flatMap((step) => (step.op === 'put' ? [step.id] : [])))
  await uploadContents(
    task,
    files,
    root,
    uploads.filter(({ sha256 }) => sent.has(sha256)),
  )
  const { revision } = await applyChange(
    files,
    steps.map((step) => operationOf(step, (id) => id, undefined)),
    { reason: reason ?? displayText(`Import ${basename(root)}`, REASON_CHARACTERS) },
  )
  return {
    json: { workspace: name, revision, files: tree.files, leftOut },
    text: [`${name} has ${counted(tree.files, 'file')} of ${root}.`, ...leftOutWords(leftOut)].join('\n'),
  }
}

interface PlannedChange {
  readonly author: { readonly name: string; readonly at: string }
  readonly reason: string | undefined
  readonly steps: readonly Step[]
}

async function importHistory(
  task: Task,
  { workspace: { files }, name, advise }: AskedWorkspace,
  root: string,
  tree: IncomingTree,
): Promise<Outcome> {
  const git = gitIn(task, root)
  const commits = await readHistory(git, FILE_LIMITS.changesKept)
  let without = 0
  const planned = commits.flatMap(({ id, author, at, subject, changes }): PlannedChange[] => {
    const steps = tree.apply(changes)
    if (steps.length === 0) without += 1
    requireFit(tree, `Commit ${id.slice(0, 12)}`)
    return inSteps(steps).map((part) => ({
      steps: part,
      author: { name: displayText(author, REASON_CHARACTERS) || 'unknown', at },
      reason: displayText(subject, REASON_CHARACTERS) || undefined,
    }))
  })
  const leftOut = [...tree.leftOut.values()]
  if (planned.length === 0) throw nothingToImport(root, leftOut)
  using progress = task.progress('Importing changes', { unit: 'things' })
  const hashes = new Map<string, string>()
  const revisions = new Map<string, number>()
  let done = 0
  try {
    for (const group of groupsOf(planned)) {
      const wanted = new Map(
        group.flatMap(({ steps }) => steps).flatMap((step) => (step.op === 'put' ? [[step.id, step]] : [])),
      )
      for (const id of hashes.keys()) wanted.delete(id)
      for (const batch of batchesOf([...wanted.values()], ({ size }) => size)) {
        const blobs = await readBlobs(
          git,
          batch.map(({ id }) => id),
        )
        await uploadBlobs(files, blobs)
        for (const { id, sha256 } of blobs) hashes.set(id, sha256)
      }
      for (const { steps, reason, author } of group) {
        const operations = steps.map((step) =>
          operationOf(step, (id) => hashes.get(id) ?? '', revisions.get(step.path)),
        )
        const { revision } = await applyChange(files, operations, { reason, author })
        for (const { op, path } of steps) {
          if (op === 'put') revisions.set(path, revision)
          else revisions.delete(path)
        }
        done += 1
        progress.update(done, planned.length)
      }
    }
  } catch (error) {
    task.notify(
      `${done} of ${counted(planned.length, 'change')} were imported into ${name}; see ${advise(`files history ${name}`)}.\nAn import does not go on: to begin again, take a new workspace or folder.`,
    )
    throw error
  }
  return {
    json: { workspace: name, commits: commits.length, changes: planned.length, files: tree.files, leftOut },
    text: [
      `${name} has ${counted(tree.files, 'file')} and ${counted(planned.length, 'change')} of ${root}.`,
      ...(without > 0 ? [`${counted(without, 'commit')} changed nothing that a workspace holds.`] : []),
      ...leftOutWords(leftOut),
    ].join('\n'),
  }
}

/** One step has a bound; a commit has none. */
function inSteps(steps: readonly Step[]): Step[][] {
  const parts: Step[][] = []
  for (let from = 0; from < steps.length; from += FILE_LIMITS.operations)
    parts.push(steps.slice(from, from + FILE_LIMITS.operations))
  return parts
}

const GROUP_CHANGES = 200
const GROUP_BYTES = 32 * 1024 ** 2

/** Uploaded together, soon before they are named: what nobody names is deleted after a day. */
function groupsOf(planned: readonly PlannedChange[]): PlannedChange[][] {
  const groups: PlannedChange[][] = []
  let bytes = 0
  for (const change of planned) {
    const size = change.steps.reduce((all, step) => all + (step.op === 'put' ? step.size : 0), 0)
    const last = groups.at(-1)
    if (last === undefined || last.length >= GROUP_CHANGES || bytes + size > GROUP_BYTES) {
      groups.push([change])
      bytes = size
    } else {
      last.push(change)
      bytes += size
    }
  }
  return groups
}

async function uploadBlobs(
  files: WorkspaceFiles,
  blobs: readonly { readonly sha256: string; readonly bytes: Uint8Array<ArrayBuffer> }[],
): Promise<void> {
  const byHash = new Map(blobs.map(({ sha256, bytes }) => [sha256, bytes]))
  const missing = await files.missing([...byHash.keys()])
  await forEachConcurrent(missing, UPLOADS_AT_ONCE, async (sha256) => {
    const bytes = byHash.get(sha256)
    if (bytes !== undefined) await files.upload(sha256, bytes)
  })
}

async function applyChange(
  files: WorkspaceFiles,
  operations: readonly FileOperation[],
  why: Parameters<WorkspaceFiles['change']>[1],
): Promise<{ readonly revision: number }> {
  return await files.change(operations, why).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'file_changed') throw error
    throw new Refusal(
      EXIT.notYet,
      'file_changed',
      'Somebody else is writing to the same files. The import has stopped, and replaced nothing of theirs.',
    )
  })
}

/** Only onto what this import has left there: somebody who writes at the same time stops it. */
function operationOf(
  step: Step,
  hashOf: (id: string) => string,
  revision: number | undefined,
): FileOperation {
  const { path } = step
  const ifRevision = revision ?? null
  return step.op === 'put'
    ? { op: 'put', path, sha256: hashOf(step.id), ifRevision }
    : { op: 'delete', path, ifRevision }
}

function requireFit({ files, bytes }: IncomingTree, what: string): void {
  const { files: most, workspaceBytes } = FILE_LIMITS
  if (files <= most && bytes <= workspaceBytes) return
  throw new Refusal(
    EXIT.failed,
    'limit_reached',
    `${what} has more than a workspace can hold, which is ${most.toLocaleString('en-US')} files and ${workspaceBytes / 1024 ** 3} GiB. Nothing was imported.`,
  )
}

function nothingToImport(root: string, leftOut: readonly LeftOut[]): Refusal {
  return new Refusal(
    EXIT.failed,
    'nothing_to_import',
    [`${root} has no files that a workspace can hold.`, ...leftOutWords(leftOut)].join('\n'),
  )
}

function leftOutWords(leftOut: readonly LeftOut[]): string[] {
  if (leftOut.length === 0) return []
  const shown = leftOut.slice(0, 10).map(({ path, why }) => `  ${stripHidden(path)}  (${stripHidden(why)})`)
  const more = leftOut.length > shown.length ? [`  and ${leftOut.length - shown.length} more`] : []
  return ['Left out, because a workspace cannot hold it:', ...shown, ...more]
}
