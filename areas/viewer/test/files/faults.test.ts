import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import type { Around } from '../../src/files/disk.io.ts'
import { diskFailure, withoutLinks } from './crash.ts'
import { expectNoOrphans } from './orphans.ts'
import { addPaste, fill, newPaste, pair, startProject } from './project.ts'
import { SCENARIOS, TAKEN } from './scenarios.ts'

const DISKS: readonly (readonly [string, Around])[] = [
  ['with links', (_, call) => call()],
  ['without links', withoutLinks],
]

deepTest.each(
  DISKS.flatMap(([disk, inner]) => Object.keys(SCENARIOS).map((name) => ({ name, disk, inner }))),
)(
  '[E-65][E-64] any one step of $name that fails on a disk $disk leaves nothing half',
  async ({ name, inner }) => {
    let isOver = false
    for (let at = 0; !isOver; at += 1) {
      await using project = await startProject()
      await project.write('taken-900x600-original.png', 'of somebody else')
      let steps = -1
      const folder = await project.open({
        async around(step, call) {
          if (steps >= 0 && steps++ === at) throw diskFailure(at % 2 === 0 ? 'EACCES' : 'ENOSPC')
          return await inner(step, call)
        },
      })
      await SCENARIOS[name]?.prepare(project, folder)
      const [id = ''] = await project.ids()
      steps = 0
      const failure = await SCENARIOS[name]?.operate(project, folder, id).then(
        () => undefined,
        (error: unknown) => error,
      )
      isOver = steps <= at
      steps = -1
      expect([undefined, 'folder_unavailable']).toContain((failure as { code?: string } | undefined)?.code)
      const listed = folder.list().map(({ optimized }) => optimized.file)
      await folder[Symbol.asyncDispose]()
      await using again = await project.open()
      await expectNoOrphans(project, again, TAKEN)
      expect(again.list().map(({ optimized }) => optimized.file)).toEqual(listed)
    }
  },
)

test.each([
  ['EACCES', 'refuses to write'],
  ['ENOSPC', 'disk is full'],
  ['EIO', 'cannot be written (EIO)'],
])('[E-65] %s is said in words, and it works again afterwards', async (code, words) => {
  await using project = await startProject()
  let isBroken = false
  await using folder = await project.open({
    async around(step, call) {
      if (isBroken && step !== 'delete tree') throw diskFailure(code)
      return await call()
    },
  })
  const { id } = await addPaste(project, folder, 'login')
  const stage = await folder.stage()
  await fill(stage, 'second')
  isBroken = true
  const refusal = { code: 'folder_unavailable', detail: expect.stringContaining(words) }
  await expect(folder.add(stage, newPaste(project.clock.now()))).rejects.toMatchObject(refusal)
  await expect(folder.rename(id, 'login', 'person')).rejects.toMatchObject(refusal)
  await expect(folder.remove(id)).rejects.toMatchObject(refusal)
  expect(folder.list()).toHaveLength(1)
  isBroken = false
  await folder.add(stage, newPaste(project.clock.now()))
  await folder.rename(id, 'login', 'person')
  await expectNoOrphans(project, folder)
  expect(await project.files()).toMatchObject(pair('login', 'login'))
})

deepTest('[E-65] a disk that fills up leaves nothing half and says so', async () => {
  await using project = await startProject()
  const script = join(dirname(fileURLToPath(import.meta.url)), 'limited-process.ts')
  // No file may grow: it stands for a full disk, for any user.
  const command = `ulimit -f 0; exec "$0" "$@"`
  await (await project.open())[Symbol.asyncDispose]()
  const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, script, project.path])
  expect(JSON.parse(stdout)).toMatchObject({
    code: 'folder_unavailable',
    detail: expect.stringContaining('full'),
  })
  await using folder = await project.open()
  await expectNoOrphans(project, folder)
})
