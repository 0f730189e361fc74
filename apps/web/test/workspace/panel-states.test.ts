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

const actionOf = (id: number, action: string) => ({
  id,
  tabId: one,
  by: { kind: 'api_key' as const, name: 'Agent', handle: 'ada' },
  action,
  at: new Date(id * 1_000).toISOString(),
})

test('[W-452] F9: what is done again and again is one action with how often, also when it is told twice', () => {
  const { store, open } = startStore()
  const asking = Array.from({ length: 18 }, (_, at) => actionOf(at + 1, 'screenshot workspace'))
  open(undefined, { actions: asking.slice(0, 2) })
  for (const action of asking.slice(2)) store.receive({ type: 'acted', actions: [action] })
  open(undefined, { actions: asking.slice(-9) })
  const shown = () => store.getSnapshot().actions.map(({ id, action, times }) => ({ id, action, times }))
  expect(shown()).toEqual([{ id: 18, action: 'screenshot workspace', times: 18 }])
  store.receive({
    type: 'acted',
    actions: [actionOf(19, 'sandbox eval'), actionOf(20, 'screenshot workspace')],
  })
  expect(shown().map(({ times }) => times)).toEqual([18, 1, 1])
})

test('[W-256] L2: a state that was made on a revision is answered to whoever sent it, and is shown no more if outdated', () => {
  const { store, sent, told, open } = startStore()
  open(undefined, { states: [{ tabId: one, revision: 4, state: { text: 'base' } }] })
  const answers: unknown[] = []
  const onAnswer = (answer: unknown) => answers.push(answer)
  store.setState(one, { text: 'mine' }, { revision: 4, onAnswer })
  expect(sent).toEqual([{ type: 'state', id: 'm1', tabId: one, patch: { text: 'mine' }, base: 4 }])
  const shown = { tabId: one, revision: 5, state: { text: 'theirs' } }
  store.receive({ type: 'refused', id: 'm1', code: 'state_changed', message: 'x', shown })
  expect(store.getSnapshot().states.get(one)?.state).toEqual({ text: 'theirs' })
  expect(answers).toEqual([{ outcome: 'outdated', shown: { revision: 5, state: { text: 'theirs' } } }])
  expect(told).toEqual([])
  store.setState(one, { text: 'mine' }, { revision: 5, onAnswer })
  expect(store.getSnapshot().stored.get(one)?.state).toEqual({ text: 'theirs' })
  const states = [{ tabId: one, revision: 6, state: { text: 'mine' } }]
  store.receive({ type: 'states', states, ids: ['m2'] })
  expect(answers.at(-1)).toEqual({ outcome: 'stored', shown: { revision: 6, state: { text: 'mine' } } })
  store.setState(one, { text: 'more' }, { revision: 6, onAnswer })
  store.receive({ type: 'refused', id: 'm3', code: 'limit_reached', message: 'Too much' })
  expect(answers.at(-1)).toMatchObject({ outcome: 'refused' })
  expect(told).toEqual(['Too much'])
})

test('[W-256] L2: without a connection texts join each other, and all of them are answered', () => {
  const { store, sent, open } = startStore()
  open()
  store.setLink('away')
  const answers: string[] = []
  const on = (name: string) => ({ revision: 0, onAnswer: () => answers.push(name) })
  store.setState(one, { text: 'a' }, on('a'))
  store.setState(one, { text: 'ab' }, on('ab'))
  store.setState(one, { fileName: 'x.txt' })
  open()
  expect(sent).toEqual([
    { type: 'state', id: 'm1', tabId: one, patch: { text: 'ab' }, base: 0 },
    { type: 'state', id: 'm2', tabId: one, patch: { fileName: 'x.txt' } },
  ])
  store.receive({ type: 'states', states: [], ids: ['m1'] })
  expect(answers).toEqual(['a', 'ab'])
})

test('[W-263] actions are kept, the latest 50, each once; those from before count as old', () => {
  const { store, open } = startStore()
  const action = (id: number) => actionOf(id, `webview navigate ${id}.example`)
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
