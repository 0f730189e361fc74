import { type Bus, createInProcessBus } from '@patchbay/kernel/bus'
import { systemClock } from '@patchbay/kernel/clock'
import { expect, test } from 'vitest'
import { uuidOf } from '../access.ts'
import { codeOf, makeTabs, startCalls } from '../webview/calls.ts'

const PATH = '/api/panels/webview/ada/board'

/** With what is counted, in its order. */
function countingBus(): { readonly bus: Bus; readonly counted: string[] } {
  const bus = createInProcessBus({ node: 'test-1', clock: systemClock })
  const counted: string[] = []
  const rateLimit: Bus['rateLimit'] = {
    async hit(key, rule) {
      counted.push(key)
      return await bus.rateLimit.hit(key, rule)
    },
  }
  return { bus: { ...bus, rateLimit }, counted }
}

const keyOf = (person: string) => `panels:${uuidOf(`${person} api_key agent`)}:ada/board`

test('[D-282] each call is counted once and for who makes it, whatever they show', async () => {
  const { bus, counted } = countingBus()
  await using calls = await startCalls({ bus, settings: { actionsPerMinute: 4 } })
  const [{ panelId }] = await makeTabs(calls.node, ['webview'])
  calls.node.access.grant('bob', 'ada', 'write')
  const act = (person: string, shown: Readonly<Record<string, string>>) =>
    calls.as(person).ask(PATH, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', ...shown },
      body: JSON.stringify({ panelId, action: 'refresh' }),
    })
  const key = { 'x-api-key': 'one' }
  for (let call = 0; call < 4; call += 1) expect((await act('ada', key)).status).toBe(204)
  expect(await codeOf(await act('ada', key))).toEqual([429, 'rate_limited'])
  expect(counted).toEqual(Array.from({ length: 5 }, () => keyOf('ada')))
  counted.length = 0
  expect((await act('bob', key)).status).toBe(204)
  expect((await act('bob', { authorization: 'Bearer two' })).status).toBe(204)
  expect(counted).toEqual([keyOf('bob'), keyOf('bob')])
})

test('[D-282] who may not is not counted', async () => {
  const { bus, counted } = countingBus()
  await using calls = await startCalls({ bus })
  const [{ panelId }] = await makeTabs(calls.node, ['webview'])
  for (let call = 0; call < 3; call += 1) {
    const stranger = await calls.as('eve').ask(PATH, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'x-api-key': 'guess' },
      body: JSON.stringify({ panelId, action: 'refresh' }),
    })
    expect(await codeOf(stranger)).toEqual([403, 'not_permitted'])
  }
  expect(counted).toEqual([])
})
