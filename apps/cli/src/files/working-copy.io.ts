import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  lstatSync,
  mkdirSync,
  renameSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { WorkspaceFiles } from '@patchbay/client/workspaces'
import { normalizePath, pathFault } from '@patchbay/contracts/content'
import { forEachConcurrent } from '@patchbay/primitives/async'
import { isErrno, withLock, writeAtomically } from '@patchbay/primitives/files'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { CliSurroundings } from '../terminal/surroundings.ts'
import { type ByteReader, batchesOf, checkedContent, chunksOf, type Wanted } from './contents.ts'
import type { BaseFile, LocalFile } from './plan.ts'

/** What a working copy knows: where it comes from, and what both sides had when they were last the same. */
export interface WorkingCopy {
  /** Absolute. */
  readonly root: string
  readonly server: string
  /** `ada/board`. */
  readonly workspace: string
  /** Everything that happened up to it is here. */
  revision: number
  readonly base: Map<string, BaseFile>
}

interface StateFile {
  readonly format: 1
  readonly server: string
  readonly workspace: string
  readonly revision: number
  readonly files: Readonly<
    Record<string, readonly [revision: number, sha256: string, size: number, modifiedMs: number]>
  >
}

export const OWN_FOLDER = '.patchbay'
const STATE = join(OWN_FOLDER, 'workspace.json')
/** On the same disk, so that giving a file its name is one step. */
const ARRIVING = join(OWN_FOLDER, 'arriving')
/** A file that changes within so much of the moment that was noted may still have the time that was noted. */
const CLOCK_GRAIN_MS = 50
const AT_ONCE = 8
const LOCK_MS = 10_000
/** Larger ones are not held in memory. */
const SMALL_BYTES = 1024 * 1024

/** The one that a folder belongs to. */
export async function openWorkingCopy(folder: string): Promise<WorkingCopy> {
  for (let root = resolve(folder); ; root = dirname(root)) {
    const text = await readFile(join(root, STATE), 'utf8').catch(unlessMissing)
    if (text !== undefined) return readState(root, text)
    if (root === dirname(root)) break
  }
  throw new Refusal(
    EXIT.failed,
    'no_working_copy',
    'This folder is not a working copy of a workspace.\nMake one with patchbay files clone <workspace> [folder], or go to one.',
  )
}

function readState(root: string, text: string): WorkingCopy {
  try {
    const { format, server, workspace, revision, files } = JSON.parse(text) as StateFile
    if (format !== 1) throw new TypeError('another format')
    const base = Object.entries(files).map(([path, [at, sha256, size, modifiedMs]]) => {
      return [path, { revision: at, sha256, size, modifiedMs }] as const
    })
    return { root, server, workspace, revision, base: new Map(base) }
  } catch (cause) {
    throw new Refusal(
      EXIT.failed,
      'state_unreadable',
      `${join(root, STATE)} cannot be read: ${cause instanceof Error ? cause.message : ''}.\nClone into another folder, and copy your changes there.`,
    )
  }
}

/** What is somebody's already is left alone. */
export async function makeEmptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0)
    throw new Refusal(EXIT.failed, 'folder_not_empty', `${folder} is not empty. Name a new folder.`)
}

export async function makeWorkingCopy(root: string, server: string, workspace: string): Promise<WorkingCopy> {
  await makeEmptyFolder(root)
  await mkdir(join(root, OWN_FOLDER))
  const copy = { root, server, workspace, revision: 0, base: new Map<string, BaseFile>() }
  await saveWorkingCopy(copy)
  return copy
}

export async function saveWorkingCopy({
  root,
  server,
  workspace,
  revision,
  base,
}: WorkingCopy): Promise<void> {
  const files = [...base].map(([path, file]) => [
    path,
    [file.revision, file.sha256, file.size, file.modifiedMs],
  ])
  const state = {
    format: 1,
    server,
    workspace,
    revision,
    files: Object.fromEntries(files) as StateFile['files'],
  }
  await writeAtomically(join(root, STATE), `${JSON.stringify(state)}\n`)
}

let arrivals = 0
/** The folder was emptied under the lock: nobody else has a name there. */
function arrivingName(root: string): string {
  arrivals += 1
  return join(root, ARRIVING, String(arrivals))
}

/** Two commands at once would each undo what the other notes. */
export async function withWorkingCopy<T>(
  root: string,
  { createId, now }: Pick<CliSurroundings, 'createId' | 'now'>,
  work: () => Promise<T>,
): Promise<T> {
  const busy = () =>
    new Refusal(
      EXIT.notYet,
      'working_copy_busy',
      'Another patchbay command is at work in this folder.\nTry again when it is done.',
    )
  const options = { createId, now, patienceMs: LOCK_MS, busy }
  return await withLock(join(root, OWN_FOLDER, 'lock'), options, async () => {
    await rm(join(root, ARRIVING), { recursive: true, force: true })
    await mkdir(join(root, ARRIVING), { recursive: true })
    return await work()
  })
}

export interface Scan {
  readonly files: Map<string, LocalFile>
  /** Names that no workspace can hold, links, and what is no file. */
  readonly skipped: string[]
}

/** What is on this disk. Files that still have the size and time that were noted are not read. */
export async function scan({ root, base }: Pick<WorkingCopy, 'root' | 'base'>): Promise<Scan> {
  const found: string[] = []
  const skipped: string[] = []
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (['.git', OWN_FOLDER].includes(entry.name.toLowerCase())) continue
      if (pathFault(path) !== undefined || !(entry.isFile() || entry.isDirectory())) skipped.push(path)
      else if (entry.isDirectory()) await walk(path)
      else found.push(path)
    }
  }
  await walk('')
  const noted = await stat(join(root, STATE))
    .then(({ mtimeMs }) => mtimeMs)
    .catch(() => 0)
  const files = new Map<string, LocalFile>()
  await forEachConcurrent(found, AT_ONCE, async (path) => {
    const stats = lookAt(join(root, path), statSync)
    if (stats === undefined) return
    const { size, mtimeMs: modifiedMs } = stats
    const before = base.get(normalizePath(path))
    const isKnown =
      before?.size === size && before.modifiedMs === modifiedMs && modifiedMs < noted - CLOCK_GRAIN_MS
    const sha256 = isKnown ? before.sha256 : await hashOf(join(root, path))
    files.set(normalizePath(path), { sha256, size, modifiedMs })
  })
  return { files: new Map([...files].toSorted(([a], [b]) => (a < b ? -1 : 1))), skipped: skipped.toSorted() }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/**
 * Fetches contents and hands each to `place` as a file of its own, checked: what a server sends is not trusted. Each content
 * is fetched once, however many files have it.
 */
export async function fetchContents(
  files: WorkspaceFiles,
  root: string,
  wanted: readonly Wanted[],
  place: (arrived: string, file: Wanted) => Promise<void>,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const byHash = new Map<string, Wanted[]>()
  for (const each of wanted) byHash.set(each.sha256, [...(byHash.get(each.sha256) ?? []), each])
  const batches = batchesOf([...byHash.values()], ([first]) => first?.size ?? 0)
  await forEachConcurrent(batches, 3, async (batch) => {
    const hashes = batch.map(([first]) => first?.sha256 ?? '')
    const reader = chunksOf(await files.readContents(hashes))
    for (const group of batch) {
      const [first] = group
      if (first === undefined) continue
      const arrived = arrivingName(root)
      await receive(reader, first, arrived)
      onBytes(first.size)
      // The last one takes the file itself; the others get copies of their own.
      for (const [index, file] of group.entries()) {
        if (index === group.length - 1) await place(arrived, file)
        else {
          const copy = arrivingName(root)
          await pipeline(createReadStream(arrived), createWriteStream(copy, { flags: 'wx' }))
          await place(copy, file)
        }
      }
    }
  })
}

async function receive(read: ByteReader, wanted: Wanted, file: string): Promise<void> {
  const content = checkedContent(read, wanted)
  if (wanted.size <= SMALL_BYTES) {
    const chunks: Uint8Array[] = []
    for await (const chunk of content) chunks.push(chunk)
    writeFileSync(file, Buffer.concat(chunks), { flag: 'wx' })
  } else await pipeline(content, createWriteStream(file, { flags: 'wx' }))
}

/**
 * Gives an arrived file its name, in one step. `expected`: what was there when it was looked at; if something else is there
 * now, somebody is working on it, and it is left alone.
 */
export function placeFile(
  root: string,
  arrived: string,
  path: string,
  expected: LocalFile | undefined,
): { readonly modifiedMs: number } | undefined {
  const target = safePath(root, path, true)
  if (!isStill(target, expected)) return undefined
  const { mtimeMs } = statSync(arrived)
  renameSync(arrived, target)
  return { modifiedMs: mtimeMs }
}

export function renameFile(root: string, from: string, to: string): void {
  renameSync(safePath(root, from, false), safePath(root, to, true))
}

/** With the folders that it leaves empty. `false`: somebody has changed it meanwhile. */
export async function deleteFile(
  root: string,
  path: string,
  expected: LocalFile | undefined,
): Promise<boolean> {
  const target = safePath(root, path, false)
  if (!isStill(target, expected)) return false
  await rm(target, { force: true })
  for (let folder = dirname(target); folder.startsWith(root + sep); folder = dirname(folder))
    if (
      !(await rmdir(folder).then(
        () => true,
        () => false,
      ))
    )
      break
  return true
}

function isStill(target: string, expected: LocalFile | undefined): boolean {
  const stats = lookAt(target)
  if (stats === undefined || expected === undefined) return stats === expected
  return stats.isFile() && stats.size === expected.size && stats.mtimeMs === expected.modifiedMs
}

/** A link on the way would lead out of the folder: whoever can write to a workspace must not write elsewhere on this disk. */
function safePath(root: string, path: string, isMade: boolean): string {
  const names = normalizePath(path).split('/')
  let folder = root
  for (const name of names.slice(0, -1)) {
    folder = join(folder, name)
    let stats = lookAt(folder)
    if (stats === undefined && isMade) {
      mkdirSync(folder, { recursive: true })
      // Another program may have been faster, with something else.
      stats = lookAt(folder)
    }
    if (stats !== undefined && !stats.isDirectory())
      throw new Refusal(
        EXIT.failed,
        'folder_in_the_way',
        `${folder} is no folder. Move it away, and try again.`,
      )
  }
  return join(root, ...names)
}

/**
 * Synchronous, as is all that is done for each of ten thousand files: on the thread pool, each of these calls takes ten times as
 * long. `undefined`: nothing is there.
 */
function lookAt(path: string, look: typeof statSync = lstatSync): Stats | undefined {
  try {
    return look(path, { throwIfNoEntry: false })
  } catch (error) {
    return unlessMissing(error)
  }
}

function unlessMissing(error: unknown): undefined {
  if (!isErrno(error) || (error.code !== 'ENOENT' && error.code !== 'ENOTDIR')) throw error
}
