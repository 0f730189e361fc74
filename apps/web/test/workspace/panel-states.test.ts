import { expect, test } from 'vitest'
import { tabId } from './layouts.ts'
import { startStore } from './start-store.ts'

const one = tabId(1)

test('[W-256] a patch shows at once; null takes a key away', () => {
  const { store, open, sent } = startStore()
  open(undefined, {
    states: [{ tabId: one, revision: 4, state: { url: 'https://a.example/', isProxyEnabled: true } }],
  })
  store.setState(one, { url: 'https://b.example/', isProxyEnabled: null })
  expect(store.getSnapshot().states.get(one)).toEqual({ revision: 4, state: { url: 'https://b.example/' } })
  expect(sent).toHaveLength(1)
})

test('[W-256] what the server stores is shown under what is still pending', () => {
  const { store, open } = startStore()
  open()
  store.setState(one, { text: 'mine' })
  store.receive({
    type: 'states',
    states: [{ tabId: one, revision: 5, state: { text: 'theirs', fileName: 'a.py' } }],
    ids: [],
  })
  expect(store.getSnapshot().states.get(one)?.state).toEqual({ text: 'mine', fileName: 'a.py' })
  store.receive({
    type: 'states',
    states: [{ tabId: one, revision: 6, state: { text: 'mine', fileName: 'a.py' } }],
    ids: ['m1'],
  })
  expect(store.getSnapshot().states.get(one)).toEqual({
    revision: 6,
    state: { text: 'mine', fileName: 'a.py' },
  })
})

test('[W-256] a command that overtakes the message to everybody is not undone by it', () => {
  const { store, open } = startStore()
  open()
  store.takeState({ tabId: one, revision: 8, state: { url: 'https://new.example/' } })
  store.receive({
    type: 'states',
    states: [{ tabId: one, revision: 7, state: { url: 'https://old.example/' } }],
    ids: [],
  })
  expect(store.getSnapshot().states.get(one)?.state).toEqual({ url: 'https://new.example/' })
})

test('[W-256] without a connection patches join the one that waits, but not one that was sent', () => {
  const { store, sent, open } = startStore()
  open()
  store.setState(one, { text: 'sent' })
  store.setLink('away')
  for (const text of ['a', 'ab', 'abc']) store.setState(one, { text })
  store.setState(one, { fileName: 'x.txt' })
  sent.length = 0
  open()
  expect(sent).toEqual([
    { type: 'state', id: 'm1', tabId: one, patch: { text: 'sent' } },
    { type: 'state', id: 'm2', tabId: one, patch: { text: 'abc', fileName: 'x.txt' } },
  ])
})

test('[W-263] actions are kept, the latest 50, each once; those from before count as old', () => {
  const { store, open } = startStore()
  const action = (id: number) => ({
    id,
    tabId: one,
    by: { kind: 'api_key' as const, name: 'Agent', handle: 'ada' },
    action: 'webview navigate',
    at: '2026-01-01T00:00:00.000Z',
  })
  open(undefined, { actions: [action(1)] })
  for (let id = 1; id <= 60; id += 1) store.receive({ type: 'acted', actions: [action(id)] })
  const { actions } = store.getSnapshot()
  expect(actions.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, at) => at + 11))
  expect(actions.at(-1)?.seenAt).toBe(1_000)
  open(undefined, { actions: [action(60), action(61)] })
  expect(
    store
      .getSnapshot()
      .actions.slice(-2)
      .map(({ id }) => id),
  ).toEqual([60, 61])
})
