import { describe, expect, test } from 'vitest'
import { identify, isOrdinaryPid, type Sighting } from '../src/identity.ts'
import { parseMemory, parseRecord } from '../src/record.ts'

const RECORD = { pid: 4242, instance: 'mine', startTime: '777', command: ['node'], startedAt: '2026' }
const SEEN: Sighting = { alive: true, startTime: '777', instance: { id: 'mine' } }

describe('[B-331] ours', () => {
  test('by start time and the instance in its environment, also when it does not answer', () => {
    expect(identify(RECORD, SEEN, undefined)).toEqual({ verdict: 'ours' })
  })

  test('by the instance it reports, where its environment cannot be seen', () => {
    expect(identify(RECORD, { ...SEEN, instance: 'unknown' }, 'mine').verdict).toBe('ours')
    expect(identify(RECORD, { alive: true, startTime: null, instance: 'unknown' }, 'mine').verdict).toBe(
      'ours',
    )
  })
})

test('[B-332] a process that has ended is gone', () => {
  expect(identify(RECORD, { ...SEEN, alive: false }, 'mine').verdict).toBe('gone')
})

test.each<[string, Partial<Sighting>, string | undefined]>([
  ['another start time', { startTime: '778' }, 'mine'],
  ['no instance', { instance: 'none' }, undefined],
  ['no instance, though somebody answers with ours', { instance: 'none' }, 'mine'],
  ['another instance', { instance: { id: 'other' } }, undefined],
])('[B-333] a reused pid is not ours: %s', (_what, seen, health) => {
  expect(identify(RECORD, { ...SEEN, ...seen }, health).verdict).toBe('gone')
})

test.each<[string, Partial<Sighting>, string | undefined]>([
  ['nothing answers', { instance: 'unknown' }, undefined],
  ['another answers', { instance: 'unknown' }, 'other'],
  ['no start time and no answer', { startTime: null }, undefined],
])('[B-334] neither proven nor ruled out: %s', (_what, seen, health) => {
  const identity = identify(RECORD, { ...SEEN, ...seen }, health)
  expect(identity).toMatchObject({ verdict: 'unproven', reason: expect.stringContaining('4242') })
})

test.each([0, 1, -1, -4242, 1.5, Number.NaN, '4242', null])('[B-335] pid %s is never believed', (pid) => {
  expect(isOrdinaryPid(pid)).toBe(false)
  expect(parseRecord({ ...RECORD, pid })).toBeUndefined()
})

test.each([null, 'text', {}, { ...RECORD, instance: '' }, { ...RECORD, command: [1] }])(
  '[B-335] a damaged pid file is not believed: %j',
  (content) => {
    expect(parseRecord(content)).toBeUndefined()
    expect(parseRecord(RECORD)).toEqual(RECORD)
  },
)

test('[B-340] a damaged state file is not believed', () => {
  const sound = { wanted: 'stopped', switchedTo: false, restarts: { exited: 1, unhealthy: 2, commanded: 3 } }
  expect(parseMemory(sound)).toEqual({ ...sound, lastExit: undefined })
  for (const part of [
    { wanted: 'maybe' },
    { switchedTo: 'yes' },
    { restarts: {} },
    { restarts: { exited: -1 } },
  ])
    expect(parseMemory({ ...sound, ...part })).toBeUndefined()
})
