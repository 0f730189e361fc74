import { join } from 'node:path'
import type { Problem } from '@patchbay/contracts'
import type { Disk } from './disk.store.ts'
import { isErrno, unavailable, unlessFailed } from './folder-fault.ts'
import { type LockHolder, livenessOf, parseHolder } from './lock-holder.store.ts'

const NAME = /^lock-(\d{1,15})$/
const DRAFT = /^lock-draft-/
const NOBODY = '{}\n'
/** The highest that `NAME` reads: a lock above it would be seen by nobody. */
const LAST_NUMBER = 999_999_999_999_999
/** What the systems say when a folder that is not empty is in the way, or when a draft was tidied away. */
const LATE = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM', 'ENOENT'])

export interface Lock {
  release(): Promise<void>
}

/**
 * Takes a folder for this process. Locks have numbers and the highest one counts: whoever finds its holder dead makes the
 * next number, and of several that try at once one succeeds. A lock is a folder with the holder's file in it: it appears
 * together with its content, also on disks without hard links.
 */
export async function takeLock(disk: Disk, state: string, self: LockHolder): Promise<Lock> {
  const before = await highestIn(disk, state)
  const holder = before === 0 ? undefined : await readHolder(disk, state, before)
  if (holder !== undefined && (await livenessOf(holder, self)) !== 'gone') throw taken(state, holder, before)

  if (before >= LAST_NUMBER)
    throw unavailable(
      `No viewer made ${join(state, `lock-${before}`)}. Delete it if no other viewer has this project.`,
    )
  const number = before + 1
  const mine = join(state, `lock-${number}`)
  const draft = join(state, `lock-draft-${self.id}`)
  try {
    await disk.makeFolder(draft, 0o700)
    await disk.writeNew(join(draft, 'holder.json'), `${JSON.stringify(self)}\n`)
    await disk.rename(draft, mine)
  } catch (error) {
    await disk.deleteTree(draft).catch(() => undefined)
    throw isErrno(error) && LATE.has(error.code ?? '') ? await takenByNow(disk, state) : error
  }
  // Numbers that were deleted can be made again by one that was slow to look.
  if ((await highestIn(disk, state)) > number) {
    await disk.deleteTree(mine)
    throw await takenByNow(disk, state)
  }
  await tidy(disk, state, number)
  return {
    async release() {
      // Kept, with nobody in it: if numbers began anew, one that was slow to look could take one that is in use.
      await unlessFailed(disk.replace(join(mine, 'holder.json'), NOBODY), 'ENOENT', 'ENOTDIR')
    },
  }
}

async function tidy(disk: Disk, state: string, number: number): Promise<void> {
  for (const name of await disk.list(state)) {
    const other = NAME.exec(name)?.[1]
    if (DRAFT.test(name) || (other !== undefined && Number(other) < number))
      await disk.deleteTree(join(state, name))
  }
}

async function highestIn(disk: Disk, state: string): Promise<number> {
  const numbers = (await disk.list(state)).map((name) => Number(NAME.exec(name)?.[1] ?? 0))
  return Math.max(0, ...numbers)
}

async function readHolder(disk: Disk, state: string, number: number): Promise<LockHolder | undefined> {
  const file = join(state, `lock-${number}`, 'holder.json')
  return parseHolder((await unlessFailed(disk.read(file), 'ENOENT', 'ENOTDIR', 'ELOOP')) ?? '')
}

async function takenByNow(disk: Disk, state: string): Promise<Problem> {
  const number = await highestIn(disk, state)
  return taken(state, await readHolder(disk, state, number), number)
}

function taken(state: string, holder: LockHolder | undefined, number: number): Problem {
  if (holder === undefined) return unavailable('Another viewer has just taken this project. Use that one.')
  const { pid, host, since } = holder
  return unavailable(
    `Another viewer has this project: process ${pid} on ${host}, since ${since}. Stop it, or delete ${join(state, `lock-${number}`)} if you know that it is gone.`,
  )
}
