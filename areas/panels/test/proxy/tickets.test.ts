import { createHash, randomUUID } from 'node:crypto'
import { SettableClock } from '@patchbay/testkit/clock'
import { expect, test } from 'vitest'
import type { PanelsNode } from '../start.ts'
import { startPanels } from '../start.ts'
import { servePage, startSite } from './sites.ts'
import { furnish, startProxy, takeProxy } from './start-proxy.ts'

const ADA = { kind: 'browser' } as const

test('[D-200] a person in their browser gets a ticket for a web view of a workspace that they may change', async () => {
  await using node = await takeProxy()
  const answer = await ask(node, node.tabId)
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({
    address: expect.stringMatching(new RegExp(`^${node.proxyUrl}/page/[A-Za-z0-9_-]{43}/$`)),
    origin: node.proxyUrl,
    expiresAt: expect.any(String),
  })
})

test('[D-200] nobody else does: no stranger, no reader, no script', async () => {
  await using node = await takeProxy()
  const path = pathOf(node.tabId)
  const scriptOfAda = await node.as('ada').send('POST', path)
  const stranger = await node.as('eve', ADA).send('POST', path)
  node.access.grant('bob', 'ada', 'read')
  const reader = await node.as('bob', ADA).send('POST', path)
  const nobody = await node.ask(path, { method: 'POST' })
  expect(await codesOf([scriptOfAda, stranger, reader, nobody])).toEqual([
    'browser_session_required',
    'not_permitted',
    'not_permitted',
    'sign_in_required',
  ])
})

test('[D-200] a tab that is not there, or is no web view, has no tickets', async () => {
  await using node = await takeProxy()
  const sandbox = await furnish(node, 'sandbox', 'other')
  const answers = [await ask(node, randomUUID()), await ask(node, sandbox, 'other')]
  expect(await codesOf(answers)).toEqual(['panel_not_found', 'panel_not_found'])
})

test('[D-201] only the digest of a ticket is kept, and it is over after an hour', async () => {
  await using site = await startSite(servePage('<p>here'))
  const clock = new SettableClock()
  await using node = await startProxy({ clock })
  const address = await node.openTicket({ url: site.at('site') })
  const token = new URL(address).pathname.split('/')[2] ?? ''
  const rows = await node.db.selectFrom('proxy_tickets').select('token_hash').execute()
  expect(rows.map(({ token_hash }) => token_hash.toString('hex'))).toContain(
    createHash('sha256').update(token).digest('hex'),
  )
  const show = async () => (await fetch(address + encodeURIComponent(site.at('site')))).status
  clock.advance(60 * 60_000 - 1)
  expect(await show()).toBe(200)
  clock.advance(1)
  expect(await show()).toBe(403)
  expect(node.lines.join('')).not.toContain(token)
})

test('[D-202] of more tickets than a person may have, the oldest end', async () => {
  await using site = await startSite(servePage('<p>here'))
  await using node = await takeProxy()
  const oldest = await node.openTicket({ url: site.at('site') })
  await Promise.all(Array.from({ length: 80 }, () => node.openTicket()))
  const count = await node.db
    .selectFrom('proxy_tickets')
    .select((row) => row.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  expect(Number(count.count)).toBe(64)
  const newest = await node.openTicket({ url: site.at('site') })
  const target = encodeURIComponent(site.at('site'))
  expect((await fetch(oldest + target)).status).toBe(403)
  expect((await fetch(newest + target)).status).toBe(200)
})

test('[D-202] the newest ticket of a tab outlasts the many of another one', async () => {
  await using site = await startSite(servePage('<p>here'))
  await using node = await takeProxy()
  const [kept, old] = [await node.openTicket({ url: site.at('site') }), randomUUID()]
  // As if it had been made for another tab, before all others.
  await node.db.updateTable('proxy_tickets').set({ tab_id: old }).execute()
  for (let count = 0; count < 64; count += 1) await node.openTicket()
  expect((await fetch(kept + encodeURIComponent(site.at('site')))).status).toBe(200)
})

test('[D-203] without a proxy there are no tickets, and strangers do not learn that', async () => {
  await using node = await startPanels({ settings: { proxyUrl: undefined } })
  const tabId = await furnish(node, 'webview')
  const stranger = await node.as('eve', ADA).send('POST', pathOf(tabId))
  expect(await codesOf([await ask(node, tabId), stranger])).toEqual(['proxy_not_available', 'not_permitted'])
})

function pathOf(tabId: string, repo = 'board'): string {
  return `/api/workspaces/editor/ada/${repo}/current/tabs/${tabId}/proxy-ticket`
}

async function ask(node: PanelsNode, tabId: string, repo?: string): Promise<Response> {
  return await node.as('ada', ADA).send('POST', pathOf(tabId, repo))
}

async function codesOf(answers: readonly Response[]): Promise<unknown[]> {
  return await Promise.all(answers.map(async (answer) => ((await answer.json()) as { code: string }).code))
}
