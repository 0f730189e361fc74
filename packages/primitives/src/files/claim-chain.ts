import { link, open, readFile, stat } from 'node:fs/promises'
import type { ProcessIdentity } from '../process/process-identity.ts'
import { removeFile, unlessFailed } from './file-system.ts'
import { LockBusy } from './lock-busy.ts'

/**
 * A lock is a chain of claims. The first is in the file `x.lock`; the one that follows claim N is in `x.lock.N`. Whoever
 * made the last claim has the lock. A file that exists cannot be made again, so a claim is followed by one other, once:
 * of any number of processes that find a holder dead, one gets its place. Looking and then removing, as lock files are
 * commonly taken over, would let a slow process remove the lock of the one that was faster.
 */
export interface Claim {
  readonly id: string
  /** Absent when the file cannot be read: nobody knows who made it. */
  readonly holder?: ProcessIdentity
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
  /** Where the next claim goes. */
  readonly next: string
}

const ID = /^[0-9a-f-]{36}$/
/** So many holders died one after the other; more mean that somebody builds a chain without end. */
const LONGEST = 1_000

export async function readChain(head: string): Promise<Chain> {
  const links: ChainLink[] = []
  let next = head
  while (links.length < LONGEST) {
    const found = await readLink(next)
    if (found === undefined) return { links, last: links.at(-1), next }
    links.push(found)
    next = placeAfter(head, found.claim)
  }
  throw new LockBusy(head)
}

export function placeAfter(head: string, { id }: Claim): string {
  return `${head}.${id}`
}

/** `false` when somebody else was first. */
export async function addClaim(path: string, claim: Claim): Promise<boolean> {
  const text = JSON.stringify(claim)
  const temporary = `${path}.${claim.id}.new`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.close()
    // The name appears together with the whole text: a reader never sees half of a claim.
    return (
      (await unlessFailed(
        link(temporary, path).then(() => true),
        'EEXIST',
      )) === true
    )
  } catch (error) {
    if (!isWithoutLinks(error)) throw error
    return await createExclusively(path, text)
  } finally {
    await removeFile(temporary)
  }
}

async function createExclusively(path: string, text: string): Promise<boolean> {
  const file = await unlessFailed(open(path, 'wx', 0o600), 'EEXIST')
  if (file === undefined) return false
  try {
    await file.writeFile(text)
  } finally {
    await file.close()
  }
  return true
}

/** Some disks, FAT among them, know no second name for a file. */
function isWithoutLinks(error: unknown): boolean {
  const codes = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK']
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

async function readLink(path: string): Promise<ChainLink | undefined> {
  const stats = await unlessFailed(stat(path), 'ENOENT')
  const text = await unlessFailed(readFile(path, 'utf8'), 'ENOENT')
  if (stats === undefined || text === undefined) return undefined
  const claim = parseClaim(text) ?? { id: `unreadable-${stats.ino}-${Math.floor(stats.mtimeMs)}` }
  return { path, claim, pulse: stats.mtimeMs }
}

/** The id becomes part of a path, so it is checked before it is believed. */
function parseClaim(text: string): Claim | undefined {
  try {
    const { id, holder }: Claim = JSON.parse(text)
    if (!ID.test(id)) return undefined
    const { machine, pid, started } = holder ?? {}
    if (typeof machine !== 'string' || typeof started !== 'string' || !Number.isSafeInteger(pid))
      return undefined
    return { id, holder: { machine, started, pid: Number(pid) } }
  } catch {
    return undefined
  }
}
