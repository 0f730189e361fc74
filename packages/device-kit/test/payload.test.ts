import { Buffer } from 'node:buffer'
import { assert, json, property, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { readPayload } from '../src/index.ts'

const read = (text: string) => readPayload(Buffer.from(text))

test.each([
  ['21.5', 21.5],
  [' -3e2\n', -300],
  ['ON', 'ON'],
  ['true', true],
  ['nan', null],
  ['-inf', null],
  ['{"x":1,"y":"b","z":null}', { x: 1, y: 'b', z: null }],
  ['[1,2,null]', [1, 2, null]],
  ['"quoted"', 'quoted'],
  ['{"value":7}', 7],
])('[DK-10] %j is %j', (text, value) => {
  expect(read(text)).toEqual({ value })
})

test('[DK-11] `ts` says when it was, in seconds or milliseconds', () => {
  expect(read('{"ts":1750000000,"value":1}')).toEqual({ value: 1, at: 1_750_000_000_000 })
  expect(read('{"ts":1750000000123,"x":1}')).toEqual({ value: { x: 1 }, at: 1_750_000_000_123 })
  expect(read('{"ts":12,"x":1}')).toEqual({ value: { x: 1 } })
  expect(read('{"ts":"soon","x":1}')).toEqual({ value: { x: 1 } })
})

test.each([
  '',
  '  ',
  '{"a":{"b":1}}',
  '[[1]]',
  '{}',
  '{"ts":1750000000}',
  'a\u0000b',
  '1e999{',
  `{"a":"${'x'.repeat(5000)}"}`,
])('[DK-12] %j is refused, or is the text that it is', (text) => {
  const payload = read(text)
  expect(payload === undefined || payload.value === text).toBe(true)
})

test('[DK-12] bytes that are no UTF-8 are refused', () => {
  expect(readPayload(Buffer.from([0xff, 0xfe, 0x41]))).toBeUndefined()
})

test('[DK-12] no payload makes the reading fail', () => {
  assert(property(uint8Array({ maxLength: 200 }), (bytes) => void readPayload(bytes)))
  assert(property(json({ maxDepth: 3 }), (text) => void read(text)))
})
