import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@patchbay/kernel/log'
import { createMetrics } from '@patchbay/kernel/metrics'
import { expect, test } from 'vitest'
import { createNaming, createPictures, openPasteFolder, Pastes, viewerMetrics } from '../../src/index.ts'

async function* bytes(count: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < count; sent += 1024) yield new Uint8Array(1024)
}

// Where the system has a file that is always full.
test.runIf(process.platform === 'linux')(
  '[E-122] a disk that is full while a picture comes is told as that, and leaves nothing',
  async () => {
    const project = await mkdtemp(join(tmpdir(), 'patchbay-full-'))
    const log = createLog({ level: 'silent', process: 'test' })
    await using folder = await openPasteFolder({
      project,
      now: () => new Date(),
      newId: () => randomUUID(),
      log,
    })
    await using naming = createNaming({ kind: 'off' }, { log })
    const stage = folder.stage.bind(folder)
    folder.stage = async () => ({ ...(await stage()), incoming: '/dev/full' })
    const count = viewerMetrics(createMetrics('test'), () => 0)
    const pastes = new Pastes({
      folder,
      naming,
      preparePictures: createPictures(),
      log,
      now: () => new Date(),
      count,
    })
    await expect(
      pastes.save(bytes(200_000), { title: undefined, fileName: undefined }),
    ).rejects.toMatchObject({ code: 'folder_unavailable', detail: expect.stringContaining('disk is full') })
    expect(await readdir(join(folder.path, '.viewer', 'staging'))).toEqual([])
    await pastes.stop()
    await rm(project, { recursive: true })
  },
)
