import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemSurroundings } from '../../src/surroundings.ts'
import { TokenRecordBusy } from '../../src/tokens/index.ts'
import { acquireRecordLock } from '../../src/tokens/record-lock.ts'

test('[B-553] a holder that is alive keeps the record, and who waits gives up', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-record-'))
  const path = join(folder, 'ada.json')
  const acquire = (isSettled: boolean, patienceMs?: number) =>
    acquireRecordLock(path, systemSurroundings, async () => isSettled, patienceMs)
  try {
    const lock = await acquire(false)
    await expect(acquire(false, 150)).rejects.toBeInstanceOf(TokenRecordBusy)
    expect(await acquire(true)).toBeUndefined()
    await lock?.release()
    await (await acquire(false))?.release()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
