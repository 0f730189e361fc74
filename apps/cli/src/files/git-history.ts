import { createHash } from 'node:crypto'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { Git } from './git.io.ts'
import type { Incoming } from './import-plan.ts'

export interface Commit {
  readonly id: string
  /** The first one; others were merged in. */
  readonly parent: string | undefined
  readonly author: string
  readonly at: string
  readonly subject: string
  readonly changes: readonly Incoming[]
}

/** More than this is not held in memory, and no workspace could keep it. */
const MOST_CHANGED_PATHS = 1_000_000
/** The last second that four digits of a year can tell. */
const LAST_SECOND = 253_402_300_799

interface RawChange {
  readonly path: Buffer
  readonly mode: string
  readonly blob: string
}

/** The commits of a checkout along the first parent, the oldest first. None runs anything that the repository names. */
export async function readHistory(git: Git, most: number): Promise<Commit[]> {
  const commits = await readCommits(git, most)
  const changes = await readChanges(git, commits)
  const sizes = await readSizes(git, [...changes.values()].flat())
  return commits.map((commit) => ({
    ...commit,
    changes: (changes.get(commit.id) ?? []).map((change) => incomingOf(change, sizes)),
  }))
}

type Bare = Omit<Commit, 'changes'>

async function readCommits(git: Git, most: number): Promise<Bare[]> {
  const head = await git
    .run(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'])
    .catch((error: unknown) => {
      if (!(error instanceof Refusal) || error.code !== 'git_failed' || error.message.includes('\n'))
        throw error
      throw new Refusal(
        EXIT.failed,
        'no_commits',
        `${git.folder} has no commits yet.\nCommit something first.`,
      )
    })
  // No "log", which would start the program that "gpg.program" names where "log.showSignature" is set.
  const text = await git.run([
    'rev-list',
    '--first-parent',
    '--reverse',
    `--max-count=${most + 1}`,
    '--encoding=UTF-8',
    '--format=%x00%H%x00%P%x00%at%x00%an%x00%s%x00',
    head.toString().trim(),
    '--',
  ])
  const commits: Bare[] = []
  const fields = text.toString('utf8').split('\0')
  for (let index = 1; index + 4 < fields.length; index += 6) {
    const [id = '', parents = '', seconds = '', author = '', subject = ''] = fields.slice(index, index + 5)
    const at = new Date(Math.min(Math.max(Number(seconds) || 0, 0), LAST_SECOND) * 1_000).toISOString()
    commits.push({ id, parent: parents.split(' ')[0] || undefined, author, at, subject })
  }
  if (commits.length <= most) return commits
  const shown = most.toLocaleString('en-US')
  throw new Refusal(
    EXIT.failed,
    'history_too_long',
    `${git.folder} has more than ${shown} commits, and a workspace keeps ${shown} changes.\nImport a clone with less of its history: git clone --depth 10000 file://${git.folder} <new folder>.`,
  )
}

async function readChanges(git: Git, commits: readonly Bare[]): Promise<Map<string, RawChange[]>> {
  const changes = new Map<string, RawChange[]>()
  const asked = commits.map(({ id, parent }) => (parent === undefined ? `${id}\n` : `${id} ${parent}\n`))
  const args = ['--stdin', '--root', '-r', '-z', '--raw', '--no-abbrev', '--no-renames']
  let current: RawChange[] = []
  let meta: string | undefined
  let count = 0
  for await (const field of fieldsOf(
    git.stream(['diff-tree', ...args, '--no-ext-diff', '--no-textconv'], asked),
  )) {
    if (meta !== undefined) {
      const [, mode = '', , blob = ''] = meta.split(' ')
      current.push({ path: field, mode, blob })
      meta = undefined
      count += 1
      if (count > MOST_CHANGED_PATHS)
        throw new Refusal(EXIT.failed, 'history_too_large', `The history in ${git.folder} is too large.`)
    } else if (field[0] === 0x3a) meta = field.toString('latin1')
    else {
      current = []
      changes.set(field.toString('latin1').trim(), current)
    }
  }
  return changes
}

/** What stands between zero bytes. */
async function* fieldsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of stream) {
    const bytes: Buffer = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk])
    let from = 0
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, from)) {
      yield bytes.subarray(from, end)
      from = end + 1
    }
    rest = bytes.subarray(from)
  }
}

const isFile = ({ mode }: RawChange) => mode === '100644' || mode === '100755' || mode === '100664'

async function readSizes(git: Git, changes: readonly RawChange[]): Promise<Map<string, number>> {
  const blobs = new Set(changes.filter(isFile).map(({ blob }) => blob))
  const asked = [...blobs].map((blob) => `${blob}\n`)
  const text = await git.run(['cat-file', '--batch-check', '--buffer'], asked)
  const sizes = new Map<string, number>()
  for (const line of text.toString('latin1').split('\n')) {
    const [blob = '', type, size] = line.split(' ')
    if (type === 'blob') sizes.set(blob, Number(size))
  }
  if (sizes.size < blobs.size) throw incomplete(git)
  return sizes
}

const incomplete = ({ folder }: Git) =>
  new Refusal(
    EXIT.failed,
    'history_incomplete',
    `${folder} does not have all contents of its history: it is a partial clone, or damaged.\nImport a clone that has everything.`,
  )

function incomingOf(change: RawChange, sizes: ReadonlyMap<string, number>): Incoming {
  const path = textOf(change.path)
  if (path === undefined)
    return {
      kind: 'unfit',
      path: stripHidden(change.path.toString('utf8')),
      why: 'its name is not UTF-8',
    }
  if (change.mode === '000000') return { kind: 'deleted', path }
  if (isFile(change)) return { kind: 'file', path, id: change.blob, size: sizes.get(change.blob) ?? 0 }
  return { kind: 'unfit', path, why: change.mode === '120000' ? 'a symbolic link' : 'a submodule' }
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

export interface Blob {
  readonly id: string
  readonly sha256: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The contents of these objects, in their order. All of them are in memory. */
export async function readBlobs(git: Git, ids: readonly string[]): Promise<Blob[]> {
  const asked = ids.map((id) => `${id}\n`)
  const output = await git.run(['cat-file', '--batch', '--buffer'], asked)
  const blobs: Blob[] = []
  let from = 0
  for (const id of ids) {
    const line = output.indexOf('\n', from)
    const [found, type, size] = output.subarray(from, line).toString('latin1').split(' ')
    if (line < 0 || found !== id || type !== 'blob') throw incomplete(git)
    const bytes = new Uint8Array(output.subarray(line + 1, line + 1 + Number(size)))
    from = line + 1 + Number(size) + 1
    blobs.push({ id, bytes, sha256: createHash('sha256').update(bytes).digest('hex') })
  }
  return blobs
}
