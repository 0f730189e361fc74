import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Longer than any build takes: whoever began it is gone. */
const ABANDONED_MS = 120_000

/**
 * The folder of this name, made by whoever is first. Others wait for it: two builds at once take each other's time, and
 * one of them is for nothing.
 */
export async function buildOnce(
  parent: string,
  name: string,
  build: (draft: string) => Promise<void>,
): Promise<string> {
  const folder = join(parent, name)
  const lock = join(parent, `${name}.lock`)
  await mkdir(parent, { recursive: true })
  while (!(await exists(folder))) {
    const isMine = await mkdir(lock).then(
      () => true,
      () => false,
    )
    if (isMine) {
      try {
        // It may have come between the look and the lock.
        if (await exists(folder)) return folder
        const draft = await mkdtemp(join(parent, 'test-draft-'))
        await build(draft)
        await rename(draft, folder)
      } finally {
        await rm(lock, { recursive: true, force: true })
      }
    } else if ((await ageOf(lock)) > ABANDONED_MS) await rm(lock, { recursive: true, force: true })
    else await wait(50)
  }
  return folder
}

/** How long it has been there; nothing for what is not. */
export async function ageOf(path: string): Promise<number> {
  return await stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  )
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}
