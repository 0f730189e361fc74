import { link, mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deleteFile, isErrno, unlessFailed } from '../../durable-file.ts'
import { type LockHolder, livenessOf, parseHolder } from './lock-holder.ts'

/** Who has the lock now: this process, another one, or somebody unknown. `again` when it changed under our eyes. */
export type ClaimResult = 'mine' | 'again' | { readonly holder: LockHolder | undefined }

/** So many takers died one after the other. */
const DEEPEST = 8

/**
 * Takes the lock if nobody has it, or if its holder is no more. To replace a dead holder one needs a second lock, whose
 * name holds the dead one's id; whoever has that looks at the first one again. So of all who saw the same dead holder
 * one takes its place, and who comes late finds another holder and goes away. Looking and then removing, as lock files
 * are commonly taken over, would let a slow process remove the lock of the one that was faster.
 */
export async function claim(
  path: string,
  self: LockHolder,
  scratch: string,
  depth = 0,
): Promise<ClaimResult> {
  if (await create(path, self, scratch)) return 'mine'
  const text = await unlessFailed(readFile(path, 'utf8'), 'ENOENT')
  if (text === undefined) return 'again'
  const holder = parseHolder(text)
  if (holder === undefined || depth > DEEPEST || (await livenessOf(holder, self)) !== 'gone')
    return { holder }
  return takeOver(path, holder, self, scratch, depth)
}

export async function release(path: string, { id }: LockHolder): Promise<void> {
  const text = await unlessFailed(readFile(path, 'utf8'), 'ENOENT')
  if (text !== undefined && parseHolder(text)?.id === id) await deleteFile(path)
}

async function takeOver(
  path: string,
  dead: LockHolder,
  self: LockHolder,
  scratch: string,
  depth: number,
): Promise<ClaimResult> {
  const guard = `${path}.${dead.id}`
  if ((await claim(guard, self, scratch, depth + 1)) !== 'mine') return 'again'
  try {
    const text = await unlessFailed(readFile(path, 'utf8'), 'ENOENT')
    if (text === undefined || parseHolder(text)?.id !== dead.id) return 'again'
    const file = await writeScratch(self, scratch)
    const isDone = await unlessFailed(
      rename(file, path).then(() => true),
      'ENOENT',
    )
    return isDone === true ? 'mine' : 'again'
  } finally {
    await release(guard, self)
  }
}

/** `false` when the file is there. It appears together with its whole text: no reader sees half of it. */
async function create(path: string, self: LockHolder, scratch: string): Promise<boolean> {
  const file = await writeScratch(self, scratch)
  try {
    await link(file, path)
    return true
  } catch (error) {
    if (!isErrno(error)) throw error
    if (error.code === 'EEXIST') return false
    // Somebody tidied up meanwhile, or the disk knows no second names.
    return createExclusively(path, self)
  } finally {
    await deleteFile(file)
  }
}

async function createExclusively(path: string, self: LockHolder): Promise<boolean> {
  const file = await unlessFailed(open(path, 'wx'), 'EEXIST')
  if (file === undefined) return false
  try {
    await file.writeFile(JSON.stringify(self))
  } finally {
    await file.close()
  }
  return true
}

async function writeScratch(self: LockHolder, scratch: string): Promise<string> {
  await mkdir(scratch, { recursive: true })
  const file = join(scratch, self.id)
  await writeFile(file, JSON.stringify(self))
  return file
}
