import { expect, test } from 'vitest'
import { mayPublish, maySubscribe, readTopic, topicOf } from '../src/index.ts'

const base = topicOf({ owner: 'ada', repo: 'board', device: 'motor-1' })

test.each([
  ['speed', 'value'],
  ['sensor/speed/state', 'value'],
  ['speed/set', 'set'],
  ['speed/ack', 'ack'],
  ['$info', 'info'],
  ['$status', 'status'],
  ['$stop', 'stop'],
  ['$stop/ack', 'stop_ack'],
  ['$discovery/sensor/speed/config', 'discovery'],
])('[DK-1] %s is about %s', (suffix, kind) => {
  expect(readTopic(`${base}/${suffix}`)).toEqual({
    owner: 'ada',
    repo: 'board',
    device: 'motor-1',
    suffix,
    kind,
  })
})

test('[DK-1] a dot in the name of a workspace is no level of its topics for any broker', () => {
  const dotted = topicOf({ owner: 'ada', repo: 'board.v2', device: 'one' })
  expect(dotted).toBe('pb/ada/board~v2/one')
  expect(readTopic(`${dotted}/speed`)).toMatchObject({ repo: 'board.v2', device: 'one' })
})

test.each([
  '',
  'pb',
  'pb/ada/board',
  base,
  `${base}/`,
  `${base}//a`,
  'xx/ada/board/motor-1/speed',
  `${base}/${'a'.repeat(300)}`,
])('[DK-1] %j is no topic of a device', (topic) => {
  expect(readTopic(topic)).toBeUndefined()
})

test('[DK-2] a device publishes below its own topic, and nothing that it is told itself', () => {
  for (const suffix of ['speed', 'speed/ack', '$info', '$status', '$stop/ack', '$discovery/sensor/a/config'])
    expect([suffix, mayPublish(base, `${base}/${suffix}`)]).toEqual([suffix, true])
  for (const topic of [
    `${base}/speed/set`,
    `${base}/$stop`,
    `${base}/+`,
    `${base}/#`,
    `${base}/a\0b`,
    `${base}0/speed`,
    base,
    'pb/ada/board/other/speed',
    'pb/eve/board/motor-1/speed',
    '$SYS/broker',
    '',
  ])
    expect([topic, mayPublish(base, topic)]).toEqual([topic, false])
})

test('[DK-3] a device subscribes to what is below its own topic', () => {
  for (const filter of [`${base}/#`, `${base}/+/set`, `${base}/$stop`])
    expect([filter, maySubscribe(base, filter)]).toEqual([filter, true])
  for (const filter of [
    '#',
    'pb/#',
    'pb/+/board/motor-1/speed',
    'pb/ada/board/+/speed',
    base,
    `${base}+/a`,
    '$SYS/#',
  ])
    expect([filter, maySubscribe(base, filter)]).toEqual([filter, false])
})
