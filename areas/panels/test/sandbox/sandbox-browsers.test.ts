import type { BrowserMessage } from '@patchbay/contracts/panels'
import { deepTest, depth } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { type BrowserOptions, becomesOwner, openBrowser } from '../rooms/browser.ts'
import { startPanels } from '../start.ts'
import { makeTabs } from '../webview/calls.ts'
import { startPair } from '../webview/pair.ts'
import { evaluate, fetchEval, PATH } from './evals.ts'

type Answer = Extract<BrowserMessage, { type: 'done' | 'failed' }>

/** A page with a sandbox: what it has been asked before it answers as it did then. */
function page(run: (code: string, id: string) => Answer | undefined): BrowserOptions['onCommand'] {
  const known = new Map<string, Answer | undefined>()
  return ({ id, command }, browser) => {
    browser.send({ type: 'taken', id })
    if (command.kind !== 'eval') return browser.send({ type: 'done', id })
    if (!known.has(id)) known.set(id, run(command.code, id))
    const answer = known.get(id)
    if (answer !== undefined) browser.send(answer)
  }
}

const executed = (code: string, id: string): Answer => ({
  type: 'done',
  id,
  evaluation: { status: 'executed', result: `ran ${code}`, resultType: 'string', durationMs: 1 },
})

deepTest(
  '[D-161] with two browsers on two nodes and callers on both, all code runs once',
  async () => {
    await using pair = await startPair()
    const [a, b] = pair.nodes
    const [{ panelId, tabId }] = await makeTabs(a, ['sandbox'])
    const ran: string[] = []
    const onCommand = page((code, id) => {
      ran.push(code)
      return executed(code, id)
    })
    await using first = await openBrowser(a.url, { onCommand })
    await using second = await openBrowser(b.url, { onCommand })
    for (const browser of [first, second]) browser.ready(tabId)
    await becomesOwner(second)
    const call = async (code: string, node: typeof a) => {
      const { id } = await evaluate(node.as('ada'), panelId, code, { timeoutMs: 20_000 })
      return await fetchEval(node.as('ada'), id, 20_000)
    }
    const rounds = depth({ common: 2, deep: 4 })
    const each = 24
    for (let round = 0; round < rounds; round += 1) {
      // The focus goes to and fro while code arrives.
      const calls = Array.from({ length: each }, (_, index) =>
        call(`${round}-${index}`, index % 2 === 0 ? a : b),
      )
      const [comes, goes] = round % 2 === 0 ? [first, second] : [second, first]
      goes.attend({ isFocused: false })
      comes.attend({ isFocused: true })
      for (const [index, outcome] of (await Promise.all(calls)).entries())
        expect(outcome).toMatchObject({ status: 'executed', result: `ran ${round}-${index}` })
    }
    expect(ran).toHaveLength(rounds * each)
    expect(new Set(ran).size).toBe(rounds * each)
  },
  120_000,
)

deepTest(
  '[D-131] what waits goes along when ownership moves, although the line is never empty',
  async () => {
    await using pair = await startPair()
    const [a, b] = pair.nodes
    const [{ panelId, tabId }] = await makeTabs(a, ['sandbox'])
    const here: string[] = []
    const there: string[] = []
    let held: Answer | undefined
    const takesLong = page((code, id) => {
      here.push(code)
      held = executed(code, id)
      return undefined
    })
    await using second = await openBrowser(b.url, {
      onCommand: page((code, id) => {
        there.push(code)
        return executed(code, id)
      }),
    })
    await using first = await openBrowser(a.url, { onCommand: takesLong })
    for (const browser of [first, second]) browser.ready(tabId)
    second.attend({ isFocused: false })
    await becomesOwner(first)
    const codes = ['0', '1', '2', '3']
    const ada = a.as('ada')
    const calls = codes.map(async (code) => {
      const { id } = await evaluate(ada, panelId, code, { timeoutMs: 20_000 })
      return await fetchEval(ada, id, 20_000)
    })
    await waitUntil('the first of them runs', () => held !== undefined)
    first.attend({ isFocused: false })
    second.attend({ isFocused: true })
    await becomesOwner(second)
    await waitUntil('the first one knows', () => !first.isOwner())
    if (held !== undefined) first.send(held)
    for (const { status } of await Promise.all(calls)) expect(status).toBe('executed')
    expect(here).toHaveLength(1)
    expect([...here, ...there].toSorted()).toEqual(codes)
  },
  60_000,
)

deepTest(
  '[D-151] code that was queued runs when a browser on another node becomes ready',
  async () => {
    await using pair = await startPair()
    const [a, b] = pair.nodes
    const [{ panelId, tabId }] = await makeTabs(a, ['sandbox'])
    const ada = a.as('ada')
    const { id, status } = await evaluate(ada, panelId, 'early')
    expect(status).toBe('queued')
    const waiting = fetchEval(ada, id, 30_000)
    await using browser = await openBrowser(b.url, { onCommand: page(executed) })
    browser.ready(tabId)
    expect(await waiting).toMatchObject({ status: 'executed', result: 'ran early' })
  },
  60_000,
)

test('[D-153] a page that was not ready is asked afresh when it is', async () => {
  await using node = await startPanels()
  const [{ panelId, tabId }] = await makeTabs(node, ['sandbox'])
  let isReady = false
  await using browser = await openBrowser(node.url, {
    onCommand: page((code, id) =>
      isReady ? executed(code, id) : { type: 'failed', id, code: 'not_ready', message: 'it was reset' },
    ),
  })
  browser.ready(tabId)
  await becomesOwner(browser)
  const ada = node.as('ada')
  const { id, status } = await evaluate(ada, panelId, 'x', { timeoutMs: 20_000 })
  expect(status).toBe('queued')
  isReady = true
  browser.ready(tabId, false)
  browser.ready(tabId)
  expect(await fetchEval(ada, id, 20_000)).toMatchObject({ status: 'executed', result: 'ran x' })
}, 60_000)

test('[D-163] a browser whose connection breaks while code runs leaves an error, and the next one goes on', async () => {
  await using pair = await startPair()
  const [a, b] = pair.nodes
  const [{ panelId, tabId }] = await makeTabs(a, ['sandbox'])
  await using spare = await openBrowser(a.url, { onCommand: page(executed) })
  spare.ready(tabId)
  await using breaks = await openBrowser(b.url, { onCommand: page(() => undefined) })
  breaks.ready(tabId)
  await becomesOwner(breaks)
  const ada = a.as('ada')
  // That the frame is ready may not have come to this node yet: then the first answer says that the code is queued.
  const call = async (code: string) => {
    const { id } = await evaluate(ada, panelId, code, { timeoutMs: 20_000 })
    return await fetchEval(ada, id, 20_000)
  }
  const running = call('held')
  await expect.poll(() => breaks.commands.length, { timeout: 20_000 }).toBe(1)
  const behind = call('next')
  const queued = () => a.db.selectFrom('sandbox_evals').select('id').where('status', '=', 'queued').execute()
  await expect.poll(queued, { timeout: 20_000 }).toHaveLength(1)
  breaks.socket.terminate()
  expect(await running).toMatchObject({ status: 'error', error: /went away while the code ran/ })
  expect(await behind).toMatchObject({ status: 'executed', result: 'ran next' })
  expect(spare.commands.map(({ command }) => command.kind === 'eval' && command.code)).toEqual(['next'])
}, 60_000)

test('[D-170] reset reaches the page', async () => {
  await using node = await startPanels()
  const [{ panelId, tabId }] = await makeTabs(node, ['sandbox'])
  await using browser = await openBrowser(node.url, { onCommand: page(executed) })
  await becomesOwner(browser)
  expect((await node.as('ada').send('PATCH', PATH, { panelId, action: 'reset' })).status).toBe(204)
  const state = { reset: expect.any(Number) }
  expect(browser.commands.at(-1)?.command).toMatchObject({ kind: 'show', tabId, state })
})
