import { type FileOperation, normalizePath } from '@patchbay/contracts/content'
import { Problem } from '@patchbay/contracts/core'
import { mediaTypeOf } from './media-types.ts'

export interface Content {
  readonly sha256: string
  readonly size: number
  readonly mediaType: string
}

export interface CurrentFile extends Content {
  readonly path: string
  readonly revision: number
}

/** What a change leaves of a path; without content: deleted. */
export interface TouchedPath {
  readonly path: string
  readonly content: Content | null
  readonly movedFrom: string | null
}

/** What operations are applied to: at least every file that they name, or that is in a folder that they name. */
export interface Base {
  readonly files: ReadonlyMap<string, CurrentFile>
  /** Sizes of the contents that the workspace has. */
  readonly blobs: ReadonlyMap<string, number>
  /** What a path was after a change, by `versionKey`; `null`: there was none. */
  readonly versions: ReadonlyMap<string, Content | null>
}

/** Of one step: finding what is in a folder reads everything that the step names. */
const FOLDER_OPERATIONS = 200

export const versionKey = (path: string, revision: number) => `${revision} ${path}`

/** A path in its one spelling; `undefined` where it can be none. */
export function normalPathOf(text: string): string | undefined {
  try {
    return normalizePath(text)
  } catch {
    return undefined
  }
}

export function requirePath(text: string): string {
  try {
    return normalizePath(text)
  } catch (error) {
    throw new Problem('path_refused', { detail: (error as TypeError).message, extensions: { path: text } })
  }
}

/** With every path in its one spelling. */
export function normalizeOperation(operation: FileOperation): FileOperation {
  const path = requirePath(operation.path)
  return operation.op === 'move'
    ? { ...operation, path, to: requirePath(operation.to) }
    : { ...operation, path }
}

/**
 * Applies operations one after the other and answers which paths are different then. What an operation expects of a
 * file is about the state before all of them. Throws the problem of the first one that cannot be done.
 */
export function applyOperations(base: Base, operations: readonly FileOperation[]): TouchedPath[] {
  const now = new Map<string, Content>()
  // Without their paths, which a move does not take along.
  for (const [path, { sha256, size, mediaType }] of base.files) now.set(path, { sha256, size, mediaType })
  const origins = new Map<string, string>()
  let folders = 0
  for (const operation of operations) {
    const { path, ifRevision } = operation
    if ((operation.op === 'delete' || operation.op === 'move') && !now.has(path)) folders += 1
    if (folders > FOLDER_OPERATIONS)
      throw new Problem('limit_reached', {
        detail: `One step can move or delete ${FOLDER_OPERATIONS} folders.`,
      })
    if (ifRevision !== undefined) requireRevision(base.files.get(path), path, ifRevision)
    if (operation.op === 'put') {
      const size = base.blobs.get(operation.sha256)
      if (size === undefined)
        throw new Problem('bytes_missing', { extensions: { path, sha256: operation.sha256 } })
      const { sha256, mediaType = mediaTypeOf(path) } = operation
      now.set(path, { sha256, size, mediaType })
    } else if (operation.op === 'restore') {
      const content = base.versions.get(versionKey(path, operation.revision)) ?? null
      if (content !== null) now.set(path, content)
      else if (!now.delete(path)) throw notFound(path)
    } else if (operation.op === 'delete') {
      for (const each of below(now, path)) now.delete(each)
    } else {
      move(now, origins, path, operation.to)
    }
  }
  return differences(base.files, now, origins)
}

function requireRevision(current: CurrentFile | undefined, path: string, expected: number | null): void {
  if ((current?.revision ?? null) === expected) return
  throw fileChanged(path, current)
}

export function fileChanged(path: string, current: CurrentFile | undefined): Problem {
  const { revision, sha256, size } = current ?? {}
  return new Problem('file_changed', {
    extensions: { path, current: current === undefined ? null : { revision, sha256, size } },
  })
}

const notFound = (path: string) => new Problem('file_not_found', { extensions: { path } })

/** The file itself, or all files in the folder of this name. */
function below(now: ReadonlyMap<string, Content>, path: string): string[] {
  if (now.has(path)) return [path]
  const found = [...now.keys()].filter((each) => each.startsWith(`${path}/`))
  if (found.length === 0) throw notFound(path)
  return found
}

function move(now: Map<string, Content>, origins: Map<string, string>, path: string, to: string): void {
  if (path === to) return
  if (to.startsWith(`${path}/`))
    throw new Problem('path_taken', {
      detail: 'A folder cannot be moved into itself.',
      extensions: { path: to },
    })
  const moved = below(now, path).map((from) => ({ from, to: to + from.slice(path.length) }))
  const contents = moved.map(({ from }) => now.get(from))
  for (const { from } of moved) now.delete(from)
  for (const [index, { from, to: target }] of moved.entries()) {
    const content = contents[index]
    if (content === undefined || now.has(target))
      throw new Problem('path_taken', { extensions: { path: target } })
    now.set(target, content)
    origins.set(target, origins.get(from) ?? from)
    origins.delete(from)
  }
}

function differences(
  before: ReadonlyMap<string, CurrentFile>,
  now: ReadonlyMap<string, Content>,
  origins: ReadonlyMap<string, string>,
): TouchedPath[] {
  const gone = [...before.keys()].filter((path) => !now.has(path))
  const written = [...now].filter(([path, content]) => !isSame(before.get(path), content))
  return [
    ...gone.map((path) => ({ path, content: null, movedFrom: null })),
    ...written.map(([path, content]) => ({ path, content, movedFrom: origins.get(path) ?? null })),
  ]
}

function isSame(a: Content | undefined, b: Content): boolean {
  return a !== undefined && a.sha256 === b.sha256 && a.mediaType === b.mediaType
}
