import { createHash } from 'node:crypto'
import { Problem, type WorkspaceFiles } from '@patchbay/client/workspaces'
import { PASTE_FOLDER } from '@patchbay/contracts/viewer'
import type { Log } from '@patchbay/kernel/log'
import { openPaste, type PasteEvent, type PasteFolder } from '@patchbay/viewer'
import type { OpenServer } from './mcp/workspace/opened-server.ts'

const REASON = 'Pasted in the viewer'
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

/** The two files of a paste, as a folder calls them. */
interface Pair {
  readonly optimized: string
  readonly original: string
}

export interface WorkspaceCopiesDeps {
  readonly open: OpenServer
  readonly workspace: { readonly owner: string; readonly repo: string }
  readonly folder: PasteFolder
  readonly log: Log
  readonly firstPauseMs?: number
}

/**
 * Keeps the pastes of a project in a workspace as well, under the same names. A server that is away is asked again until it
 * has everything; files of somebody else that have such a name are left alone.
 */
export class WorkspaceCopies {
  readonly #deps: WorkspaceCopiesDeps
  readonly #ending = new AbortController()
  /** By paste: under which names the workspace has it. */
  readonly #copied = new Map<string, Pair>()
  readonly #due = new Set<string>()
  #working: Promise<void> | undefined
  #isCompared = false
  #wake: () => void = () => undefined

  constructor(deps: WorkspaceCopiesDeps) {
    this.#deps = deps
  }

  /** Brings over what was pasted before. */
  start(): void {
    for (const { id } of this.#deps.folder.list()) this.#due.add(id)
    this.#work()
  }

  note(event: PasteEvent): void {
    this.#due.add(event.type === 'paste' ? event.paste.id : event.id)
    this.#work()
    this.#wake()
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    this.#wake()
    await this.#working
  }

  #work(): void {
    this.#working ??= this.#copyAll().finally(() => {
      this.#working = undefined
      // Something may have come due while this was ending.
      if (this.#due.size > 0 && !this.#ending.signal.aborted) this.#work()
    })
  }

  async #copyAll(): Promise<void> {
    const { log, workspace, firstPauseMs = FIRST_PAUSE_MS } = this.#deps
    let pause = firstPauseMs
    while (this.#due.size > 0 && !this.#ending.signal.aborted)
      try {
        const { workspaces } = await this.#deps.open(this.#ending.signal)
        const { files } = workspaces.workspace(workspace)
        if (!this.#isCompared) await this.#compare(files)
        for (const id of this.#due) {
          // Before it is looked at: what changes meanwhile is due again.
          this.#due.delete(id)
          await this.#copy(files, id).catch((error: unknown) => {
            this.#due.add(id)
            throw error
          })
        }
        pause = firstPauseMs
      } catch (err) {
        if (this.#ending.signal.aborted) return
        log.warn({ err }, 'failed to copy pastes to the workspace, retrying')
        await this.#rest(pause)
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
      }
  }

  /** What the workspace has already, from the last time that this ran. */
  async #compare(files: WorkspaceFiles): Promise<void> {
    const { files: there } = await files.list({ folder: PASTE_FOLDER })
    const paths = new Set(there.map(({ path }) => path))
    for (const { id, optimized, original } of this.#deps.folder.list()) {
      const pair = { optimized: optimized.file, original: original.file }
      if (paths.has(pathOf(pair.optimized)) && paths.has(pathOf(pair.original))) this.#copied.set(id, pair)
    }
    this.#isCompared = true
  }

  async #copy(files: WorkspaceFiles, id: string): Promise<void> {
    const paste = this.#deps.folder.find(id)
    const before = this.#copied.get(id)
    if (paste === undefined) {
      if (before !== undefined) await changeUnlessGone(files, deletionOf(before))
      this.#copied.delete(id)
      return
    }
    const pair = { optimized: paste.optimized.file, original: paste.original.file }
    if (before?.optimized === pair.optimized && before.original === pair.original) return
    const isMoved = before !== undefined && (await changeUnlessGone(files, moveOf(before, pair)))
    if (!isMoved) await this.#upload(files, pair)
    this.#copied.set(id, pair)
  }

  async #upload(files: WorkspaceFiles, pair: Pair): Promise<void> {
    const { folder, log } = this.#deps
    const operations = []
    for (const file of [pair.optimized, pair.original]) {
      await using handle = await openPaste(folder, file)
      const content = new Uint8Array(await handle.readFile())
      const sha256 = createHash('sha256').update(content).digest('hex')
      await files.upload(sha256, content)
      operations.push({ op: 'put', path: pathOf(file), sha256, ifRevision: null } as const)
    }
    await files.change(operations, { reason: REASON }).catch((error: unknown) => {
      if (!(error instanceof Problem && ['file_changed', 'path_taken'].includes(error.code))) throw error
      log.warn({ file: pair.optimized }, 'the workspace has another file of this name, leaving it alone')
    })
  }

  async #rest(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    this.#wake = resolve
    await promise
    clearTimeout(timer)
    this.#wake = () => undefined
  }
}

const pathOf = (file: string) => `${PASTE_FOLDER}/${file}`

const deletionOf = ({ optimized, original }: Pair) =>
  [optimized, original].map((file) => ({ op: 'delete', path: pathOf(file) }) as const)

function moveOf(from: Pair, to: Pair) {
  const moves = [
    [from.optimized, to.optimized],
    [from.original, to.original],
  ] as const
  return moves.map(([path, other]) => ({ op: 'move', path: pathOf(path), to: pathOf(other) }) as const)
}

/** `false`: somebody has deleted or moved it in the workspace, or something else is in the way. */
async function changeUnlessGone(
  files: WorkspaceFiles,
  operations: Parameters<WorkspaceFiles['change']>[0],
): Promise<boolean> {
  try {
    await files.change(operations, { reason: REASON })
    return true
  } catch (error) {
    if (error instanceof Problem && ['file_not_found', 'path_taken'].includes(error.code)) return false
    throw error
  }
}
