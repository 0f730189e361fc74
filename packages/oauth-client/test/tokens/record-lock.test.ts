import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { acquireLockUnless } from '@patchbay/primitives/files'
import { expect, test } from 'vitest'
import { systemSurroundings } from '../../src/surroundings.ts'
import { lockPathOf } from '../../src/tokens/file-name.ts'
import { TokenRecordBusy } from '../../src/tokens/index.ts'
import { recordLockOptions } from '../../src/tokens/token-file.ts'

test('[B-553] a holder that is alive keeps the record, and who waits gives up', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-record-'))
  const path = join(folder, 'ada.json')
  const options = recordLockOptions(systemSurroundings)
  expect(options.patienceMs).toBe(30_000)
  const acquire = (isSettled: boolean, patienceMs = 30_000) =>
    acquireLockUnless(lockPathOf(path), async () => isSettled, { ...options, patienceMs })
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
