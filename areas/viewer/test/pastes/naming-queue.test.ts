import { createLog } from '@patchbay/kernel/log'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { NamingQueue } from '../../src/pastes/naming-queue.io.ts'
import type { Naming } from '../../src/ports.ts'
import { addPaste, startProject } from '../files/project.ts'

/** A namer that is in the middle of a large picture when its search is stopped, and names the next one. */
function slowToStop() {
  const first = Promise.withResolvers<{ note: string }>()
  let searches = 0
  const naming: Naming = {
    kind: 'text',
    suggest: async () => {
      searches += 1
      return searches === 1 ? await first.promise : { name: 'login-page', by: 'text' }
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
  return { naming, searches: () => searches, finishFirst: () => first.resolve({ note: 'stopped' }) }
}

test('[E-167] a paste that is brought back while its search is still ending is looked at again', async () => {
  await using project = await startProject()
  await using folder = await project.open()
  const { naming, searches, finishFirst } = slowToStop()
  const named: string[] = []
  const desk = new NamingQueue({
    folder,
    naming,
    log: createLog({ level: 'silent', process: 'test' }),
    ended: ({ name }) => void named.push(name),
  })
  const { id } = await addPaste(project, folder, 'login')
  desk.add(id)
  await folder.remove(id)
  desk.cancel(id)
  await folder.undo(id)
  desk.add(id)
  desk.add(id)
  finishFirst()
  await waitUntil('the paste has a name', () => named.length > 0, { deadlineMs: 20_000 })
  expect(named).toEqual(['login-page'])
  expect(searches()).toBe(2)
  await desk.stop()
})
