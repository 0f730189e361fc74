import { randomUUID } from 'node:crypto'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { readChain } from '../../src/files/claim-chain.ts'
import { acquireLock } from '../../src/files/index.ts'

/** One contest for the lock at a path. */
export interface Contest {
  readonly path: string
  readonly beginAfterMs: number
  readonly holdForMs: number
  /** Lets go as a process that dies does, without a word. */
  readonly dies: boolean
}

export interface ContestResult {
  readonly path: string
  readonly fault?: string
}

// Takes part in as many contests as it is told of, and tells how each ended.
process.on('message', (contest: Contest) => {
  contend(contest).then(
    (fault) => process.send?.({ path: contest.path, ...(fault === undefined ? {} : { fault }) }),
    (error: unknown) => process.send?.({ path: contest.path, fault: String(error) }),
  )
})

async function contend({ path, beginAfterMs, holdForMs, dies }: Contest): Promise<string | undefined> {
  await sleep(beginAfterMs)
  const lock = await acquireLock(path, {
    createId: randomUUID,
    now: Date.now,
    patienceMs: 120_000,
    silenceMs: 1_000,
  })
  const inside = `${path}.inside`
  try {
    await (await open(inside, 'wx')).close()
  } catch {
    return 'somebody else holds the lock as well'
  }
  await sleep(holdForMs)
  await rm(inside)
  if (dies) await leaveDead(path)
  else await lock.release()
  return undefined
}

/** The last claim becomes that of a process which is no more. */
async function leaveDead(path: string): Promise<void> {
  const { last } = await readChain(path)
  const holder = last?.claim.holder
  if (last === undefined || holder === undefined) throw new Error('nobody holds the lock')
  const changed = `${path}.changed-${randomUUID()}`
  await writeFile(changed, JSON.stringify({ id: last.claim.id, ...holder, started: '1' }))
  await rename(changed, last.path)
}
