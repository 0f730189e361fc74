import { constants } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { ProcessIdentity } from '../process/index.ts'
import { createAtomically } from './atomic-file.ts'
import { removeFile, unlessFailed } from './file-system.ts'

/**
 * A lock is a chain of claims. The first is in the file `x.lock`; the one that follows claim N is in `x.lock.N`. Whoever
 * made the last claim has the lock. A file that exists cannot be made again, so a claim is followed by one other, once:
 * of any number of processes that find a holder dead, one gets its place. Looking and then removing, as lock files are
 * commonly taken over, would let a slow process remove the lock of the one that was faster.
 */
export interface Claim {
  readonly id: string
  /** Absent when the file cannot be read: nobody knows who made it. */
  readonly holder?: LockHolder
}

export interface LockHolder extends ProcessIdentity {
  /** ISO 8601. */
  readonly since: string
}

export interface ChainLink {
  readonly path: string
  readonly claim: Claim
  /** Changes as long as the holder is at work. */
  readonly pulse: number
}

export interface Chain {
  readonly links: readonly ChainLink[]
  readonly last: ChainLink | undefined
  /** Where the next claim goes. Absent when the chain is longer than one that anybody needs. */
  readonly next: string | undefined
}

const ID = /^[\w-]{20,36}$/
/** Of a file that holds a claim while it is written, without the name of the lock. */
const UNFINISHED = /^(?:[\w-]{20,}\.)?[\w-]{20,36}\.part$/
/** So many holders died one after the other; more mean that somebody builds a chain without end. */
const LONGEST = 1_000
/** More than a claim ever has. */
const MOST_BYTES = 4_096
// Whoever puts a link or a pipe in the place of a lock must not make us read something else, or wait. Windows knows
// neither flag.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

export async function readChain(head: string): Promise<Chain> {
  const links: ChainLink[] = []
  let next = head
  while (links.length < LONGEST) {
    const found = await readLink(next)
    if (found === undefined) return { links, last: links.at(-1), next }
    links.push(found)
    next = placeAfter(head, found.claim)
  }
  return { links, last: links.at(-1), next: undefined }
}

export function placeAfter(head: string, { id }: Claim): string {
  return `${head}.${id}`
}

/** `false` when somebody else was first. `flush`: the text survives a power cut. */
export async function addClaim(path: string, claim: Claim, flush = false): Promise<boolean> {
  // It becomes part of paths, of files that are deleted in the end.
  if (!ID.test(claim.id)) throw new TypeError('this is no id of a lock')
  return createAtomically(path, JSON.stringify({ id: claim.id, ...claim.holder }), { id: claim.id, flush })
}

/** Only for the holder: deletes what contenders that were killed left behind. One that lives tries again. */
export async function removeUnfinished(head: string): Promise<void> {
  const [start, folder] = [`${basename(head)}.`, dirname(head)]
  for (const name of await readdir(folder)) {
    if (name.startsWith(start) && UNFINISHED.test(name.slice(start.length)))
      await removeFile(join(folder, name))
  }
}

async function readLink(path: string): Promise<ChainLink | undefined> {
  const stats = await unlessFailed(lstat(path), 'ENOENT')
  const text = stats?.isFile() === false ? '' : await readText(path)
  if (stats === undefined || text === undefined) return undefined
  const claim = parseClaim(text) ?? { id: `unreadable-${stats.ino}-${Math.floor(stats.mtimeMs)}` }
  return { path, claim, pulse: stats.mtimeMs }
}

/** `undefined` when there is no such file. */
async function readText(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, READ_FLAGS)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? undefined : ''
  }
}

function parseClaim(text: string): Claim | undefined {
  try {
    const { id, pid, host, machine, machineId, started, since }: LockHolder & { id: string } =
      JSON.parse(text)
    const texts = [host, machine, machineId, started, since]
    // The id becomes part of a path, so it is checked before it is believed.
    if (!ID.test(id) || !Number.isSafeInteger(pid) || !texts.every((each) => typeof each === 'string'))
      return undefined
    return { id, holder: { pid, host, machine, machineId, started, since } }
  } catch {
    return undefined
  }
}
