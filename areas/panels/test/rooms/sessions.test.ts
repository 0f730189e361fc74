import { Problem } from '@patchbay/contracts/core'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import type { PanelsAccess } from '../../src/deps.ts'
import { createTestAccess } from '../access.ts'
import { becomesOwner } from './browser.ts'
import { addTab } from './changes.ts'
import { startControl } from './start-control.ts'

type Standing = 'may write' | 'may read' | 'may nothing' | 'signed out' | 'database away'

/** Says of each person what a test wants to be true right now. */
function changingAccess(standings: Map<string, Standing>): PanelsAccess & { readonly asked: () => number } {
  const access = createTestAccess()
  let asked = 0
  return {
    ...access,
    asked: () => asked,
    async requirePerson(request) {
      const person = await access.requirePerson(request)
      const standing = standings.get(person.handle)
      asked += 1
      if (standing === 'signed out') throw new Problem('sign_in_required')
      if (standing === 'database away') throw new Problem('database_unavailable')
      return person
    },
    async isAllowed({ handle }, _area, _owner, _repo, wanted) {
      const standing = standings.get(handle) ?? 'may write'
      return wanted === 'read' ? standing !== 'may nothing' : standing === 'may write'
    },
  }
}

test('[D-116] who signs out or loses the right is sent away, and who may only read from now on changes nothing', async () => {
  const standings = new Map<string, Standing>()
  const access = changingAccess(standings)
  await using node = await startControl({ access, timings: { recheckMs: 300 } })
  await using ada = await node.open()
  await using bob = await node.open({ handle: 'bob' })
  await using eve = await node.open({ handle: 'eve' })
  await using zoe = await node.open({ handle: 'zoe' })
  await becomesOwner(zoe)
  standings
    .set('bob', 'signed out')
    .set('eve', 'may nothing')
    .set('zoe', 'may read')
    .set('ada', 'database away')
  expect(await bob.closed()).toBe('session_ended')
  expect(await eve.closed()).toBe('workspace_not_permitted')
  await becomesOwner(ada)
  expect(await zoe.answered(zoe.change(addTab('No')))).toMatchObject({ code: 'not_permitted' })
  const before = access.asked()
  await waitUntil('everybody was asked about again', () => access.asked() > before + 4)
  expect(ada.socket.readyState).toBe(ada.socket.OPEN)
  expect(await ada.answered(ada.change(addTab('Yes')))).toMatchObject({ type: 'changed' })
  standings.set('zoe', 'may write')
  await waitUntil('the right is back', async () => {
    const answer = await zoe.answered(zoe.change(addTab('Again')))
    return answer.type === 'changed'
  })
})
