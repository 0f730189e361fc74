import { readFile } from 'node:fs/promises'
import { readInfo } from '@patchbay/device-kit'
import { expect, test } from 'vitest'
import { createMessages, payloadIn, readMap, selfDescription } from '../src/channel-map.ts'

const example = async () => readMap(await readFile(new URL('../map.example.json', import.meta.url), 'utf8'))

test('[J-122] the example describes a device, and what moves it is guarded', async () => {
  const channels = readInfo(selfDescription(await example()))?.channels ?? []
  expect(channels.map(({ name, takesCommands, isGuarded }) => [name, takesCommands, isGuarded])).toEqual([
    ['battery', false, false],
    ['pose', false, false],
    ['log', false, false],
    ['forward', true, true],
    ['turn', true, true],
  ])
})

test('[J-122] parts of one message go together', async () => {
  const messageFor = createMessages((await example()).channels)
  expect(messageFor('forward', 0.2)).toEqual({ linear: { x: 0.2 }, angular: { z: 0 } })
  expect(messageFor('turn', 1)).toEqual({ linear: { x: 0.2 }, angular: { z: 1 } })
})

test.each([
  [{ data: 3 }, 'data', '3'],
  [{ data: 'on' }, 'data', 'on'],
  [{ data: true }, 'data', 'true'],
  [{ ranges: [1, 2] }, 'ranges', '[1,2]'],
  [{ header: {}, x: 1, y: 2 }, '', '{"x":1,"y":2}'],
  [{ data: 3 }, 'other', undefined],
  [{ data: 3 }, 'constructor', undefined],
  [{ data: null }, 'data', undefined],
  [{ data: { inner: {} } }, 'data', undefined],
  [{ ranges: Array.from({ length: 300 }, () => 1) }, 'ranges', undefined],
  [{ ranges: [[1]] }, 'ranges', undefined],
  ['text', 'data', undefined],
  [undefined, 'data', undefined],
])('[J-122] of %j, %s is %j', (message, field, payload) => {
  expect(payloadIn(message, { field })).toBe(payload)
})

test.each([
  ['{}', 'no "channels"'],
  ['{"channels":{"a b":{}}}', 'name with other characters'],
  ['{"channels":{"a":1}}', 'no object'],
  ['{"channels":{"a":{"type":"x"}}}', 'no "topic"'],
  ['{"channels":{"a":{"topic":"/a"}}}', 'no "type"'],
  ['{"channels":{"a":{"topic":"/a","type":"x","field":"a..b"}}}', 'no path'],
])('[J-122] the map %s is refused in words', (text, words) => {
  expect(() => readMap(text)).toThrow(words)
})
