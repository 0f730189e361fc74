import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPacked } from '@patchbay/testkit/packed'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { startClientServer } from './start-server.ts'

/** The oldest Node that the package promises to run on. */
const OLD_NODE = process.env['PATCHBAY_OLD_NODE']

test.skipIf(OLD_NODE === undefined)(
  '[CL-51] the packed package signs in on the oldest Node it promises, in plain JavaScript',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-published-'))
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => rm(folder, { recursive: true, force: true }))
    await installPacked('client', folder)
    const script = join(folder, 'login.mjs')
    await cp(fileURLToPath(new URL('./published-login.js', import.meta.url)), script)
    await using server = await startClientServer()
    await using running = startProcess(OLD_NODE ?? '', [script], {
      cwd: folder,
      env: { SERVER: server.url, FOLDER: join(folder, 'credentials'), HOME: folder },
    })
    const link = () => /^open (\S+)$/m.exec(running.output())?.[1]
    await waitUntil('it shows its link', () => link() !== undefined, { deadlineMs: 30_000 })
    await server.ada.approve(link() ?? '')
    await waitUntil('it has ended', () => running.child.exitCode !== null, { deadlineMs: 30_000 })
    expect(running.output()).toMatch(/^done v20\.\d+\.\d+ ada true$/m)
    expect(running.child.exitCode).toBe(0)
  },
  240_000,
)
