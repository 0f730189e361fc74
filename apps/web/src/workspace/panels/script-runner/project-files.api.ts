import { getFiles } from '@patchbay/contracts/content'
import { Problem } from '@patchbay/contracts/core'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { Semaphore } from '@patchbay/primitives/async'
import { ask } from '../../../server/server.api.ts'
import type { FrameFile } from '../../sandbox/frame-messages.ts'
import type { ReadableFiles } from '../../sandbox/sandbox-port.ts'
import { fetchContent } from '../files/history.api.ts'
import { resolvePath } from '../parts/resolve-path.ts'
import { words } from './words.ts'

/** For one run of a script. */
export const SCRIPT_FILES = {
  fileBytes: 4 * 1024 * 1024,
  bytes: 32 * 1024 * 1024,
  calls: 200,
  /** Names of one folder. */
  names: 1_000,
  /** What Python finds beside its script. */
  beside: { files: 100, bytes: 2 * 1024 * 1024 },
} as const
const AT_ONCE = 4
const DEADLINE_MS = 30_000

export interface ProjectFiles extends ReadableFiles {
  /** A new run, of a script in this folder: paths that it names begin there. */
  begin(folder: string): void
}

/** The files of the workspace for a script, with the rights of the person whose page this is. */
export function createProjectFiles(workspace: WorkspaceRef, signal: AbortSignal): ProjectFiles {
  let folder = ''
  let calls = 0
  let bytes = 0
  const turns = new Semaphore({ total: AT_ONCE })

  function place(path: string): string {
    calls += 1
    if (calls > SCRIPT_FILES.calls) throw new Error(words.files.tooManyCalls(SCRIPT_FILES.calls))
    const found = resolvePath(folder, path)
    if (found === undefined) throw new Error(words.files.outside(path))
    return found
  }

  return {
    begin(next) {
      folder = next
      calls = 0
      bytes = 0
    },
    async read(path) {
      const found = place(path)
      return await turns.run(async () => {
        if (bytes >= SCRIPT_FILES.bytes) throw new Error(words.files.tooMuch(SCRIPT_FILES.bytes))
        const content = await fetchContent(
          workspace,
          { path: found, most: SCRIPT_FILES.fileBytes },
          signal,
        ).catch(explained(found))
        if (content.byteLength > SCRIPT_FILES.fileBytes)
          throw new Error(words.files.tooLarge(found, SCRIPT_FILES.fileBytes))
        bytes += content.byteLength
        return content.buffer
      })
    },
    async list(path) {
      const found = place(path)
      return await turns.run(async () => {
        const listed = await fetchFolder(workspace, found, false, signal).catch(explained(found))
        if (listed.hasMore) throw new Error(words.files.tooManyNames(SCRIPT_FILES.names))
        return [...listed.folders.map((name) => `${name}/`), ...listed.files.map(({ path: name }) => name)]
      })
    },
  }
}

export interface Beside {
  readonly files: readonly FrameFile[]
  /** Files that were too many, or too large. */
  readonly leftOut: number
}

/** The files in the folder of a script and below it, the nearest first, as many as fit. */
export async function fetchBeside(
  workspace: WorkspaceRef,
  folder: string,
  signal: AbortSignal,
): Promise<Beside> {
  const listed = await fetchFolder(workspace, folder, true, signal)
  const depth = (path: string) => path.split('/').length
  const nearest = listed.files.toSorted((one, other) => depth(one.path) - depth(other.path))
  const { beside } = SCRIPT_FILES
  let bytes = 0
  const fitting = nearest
    .filter(({ size }) => {
      const isFitting = bytes + size <= beside.bytes
      if (isFitting) bytes += size
      return isFitting
    })
    .slice(0, beside.files)
  const turns = new Semaphore({ total: AT_ONCE })
  const files = await Promise.all(
    fitting.map(({ path, size, revision }) =>
      turns.run(async () => {
        const content = await fetchContent(workspace, { path, revision, most: size }, signal)
        return { path, bytes: content.buffer }
      }),
    ),
  )
  return { files, leftOut: listed.files.length - files.length }
}

async function fetchFolder(params: WorkspaceRef, folder: string, recursive: boolean, signal: AbortSignal) {
  const query = { recursive, limit: SCRIPT_FILES.names, ...(folder !== '' && { folder }) }
  const { body } = await ask(getFiles, { params, query }, { signal, deadlineMs: DEADLINE_MS })
  return {
    folders: body.folders.map(({ path }) => path),
    files: body.files,
    hasMore: body.nextCursor !== null,
  }
}

/** A script is told what concerns it, and nothing else of the server's answer. */
function explained(path: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Problem && error.code === 'file_not_found')
      throw new Error(words.files.missing(path))
    throw new Error(words.files.notRead(path))
  }
}
