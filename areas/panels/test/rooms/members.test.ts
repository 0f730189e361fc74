import { atLatest, deepTest } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { join as joinWith, letIn, makeLink } from '../access/sharing.ts'
import { startPanels, startPanelsNode } from '../start.ts'
import { startPair } from '../webview/pair.ts'
import { makeWorkspaceOf } from '../workspaces/current.ts'
import { openBrowser } from './browser.ts'
import { addTab } from './changes.ts'

const AGENT_BROWSER = { kind: 'browser', label: 'agent' } as const

test('[D-360] a person whose access ends is out on every node within 2 s, and told when their role changes', async () => {
  await using pair = await startPair()
  const [one, two] = pair.nodes
  const ada = one.as('ada', AGENT_BROWSER)
  const at = await makeWorkspaceOf(ada, 'ada')
  const { secret } = await makeLink(ada, at, { role: 'viewer', uses: 2 })
  for (const handle of ['bob', 'carl'])
    expect(await joinWith(two.as(handle, AGENT_BROWSER), secret)).toBe('200')
  await using here = await openBrowser(one.url, { handle: 'bob' })
  await using there = await openBrowser(two.url, { handle: 'bob' })
  const { layout } = await there.heard('opened')
  const adding = (title: string) => ({ ...addTab(title), at: { leafId: layout.root.id } })
  await using stays = await openBrowser(two.url, { handle: 'carl' })
  await using owner = await openBrowser(two.url, { handle: 'ada' })
  expect((await there.heard('opened')).mayChange).toBe(false)
  expect(await there.answered(there.change(adding('No')))).toMatchObject({ code: 'not_permitted' })
  expect(await letIn(ada, at, 'bob', 'editor')).toBe('204')
  for (const page of [here, there]) expect((await page.heard('rights')).mayChange).toBe(true)
  expect(await there.answered(there.change(adding('Yes')))).toMatchObject({ type: 'changed' })
  const ended = performance.now()
  expect((await ada.send('DELETE', `${at}/members/bob`)).status).toBe(204)
  expect([await here.closed(), await there.closed()]).toEqual([
    'workspace_not_permitted',
    'workspace_not_permitted',
  ])
  expect(performance.now() - ended).toBeLessThan(atLatest(2_000))
  for (const page of [stays, owner]) expect(page.socket.readyState).toBe(page.socket.OPEN)
  await using again = await openBrowser(two.url, { handle: 'bob' })
  expect(await again.closed()).toBe('workspace_not_permitted')
})

deepTest(
  '[D-360] without a single wake-up, the next sweep finds that somebody had to go',
  {
    timeout: 60_000,
  },
  async () => {
    await using one = await startPanels()
    // With a bus of its own, which tells it nothing of the other.
    await using deaf = await startPanelsNode({ ...one, bus: undefined, node: 'deaf' })
    const ada = one.as('ada', AGENT_BROWSER)
    const at = await makeWorkspaceOf(ada, 'ada')
    await letIn(ada, at, 'bob', 'viewer')
    // The look at each connection takes turns, by their number: this one's is after half a minute.
    await using others = new AsyncDisposableStack()
    for (let number = 1; number < 28; number += 1)
      others.use(await openBrowser(deaf.url, { handle: 'eve', opens: false }))
    await using page = await openBrowser(deaf.url, { handle: 'bob' })
    expect((await page.heard('opened')).mayChange).toBe(false)
    const ended = performance.now()
    expect((await ada.send('DELETE', `${at}/members/bob`)).status).toBe(204)
    expect(await page.closed()).toBe('workspace_not_permitted')
    expect(performance.now() - ended).toBeLessThan(atLatest(15_000))
  },
)
