import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSpool } from '../../src/publish/spool.io.ts'

const STRANGER = 65_534

// Only root can give a folder away.
test.skipIf(process.getuid?.() !== 0)(
  '[A-614] a folder of somebody else is refused, and one inside it',
  async () => {
    const base = await mkdtemp(join(tmpdir(), 'patchbay-spool-'))
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => rm(base, { recursive: true }))
    const spool = join(base, 'spool')
    await openSpool(join(spool, 'registry'), new Date())
    await chown(spool, STRANGER, STRANGER)
    await expect(openSpool(join(spool, 'registry'), new Date())).rejects.toThrow('PATCHBAY_SPOOL_FOLDER')
    await mkdir(join(base, 'other'))
    await chown(join(base, 'other'), STRANGER, STRANGER)
    await expect(openSpool(join(base, 'other'), new Date())).rejects.toThrow('belongs to somebody else')
  },
)
