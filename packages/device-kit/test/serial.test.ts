import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSerialBoard, readSerialLine, SERIAL_BYTES_PER_SECOND, writeStop } from '../src/serial.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const valuesIn = (line: string) =>
  Object.fromEntries(readSerialLine(line).map(({ channel, value }) => [channel, value]))
const INFO = {
  device: { name: 'Rig' },
  components: {
    speed: { platform: 'number', command_topic: true, min: 0, max: 10, device_class: 'motor' },
    lamp: { platform: 'switch', command_topic: true, payload_on: '1', payload_off: '0' },
    title: { platform: 'text', command_topic: true },
    heat: { platform: 'sensor', unit_of_measurement: '°C' },
  },
}
const described = () => {
  const board = createSerialBoard()
  board.take(bytesOf(`$info=${JSON.stringify(INFO)}\n`), 0)
  return board
}

test.each([
  ['{"speed": 3, "mode": "fast", "on": true}', { speed: 3, mode: 'fast', on: true }],
  ['speed:3', { speed: 3 }],
  ['speed: 3', { speed: 3 }],
  ['speed=3', { speed: 3 }],
  ['a:1,b:2', { a: 1, b: 2 }],
  ['a:1\tb:-2.5e1  c = true', { a: 1, b: -25, c: true }],
  ['a: 1; b: nan', { a: 1, b: null }],
  ['12.5', { value_1: 12.5 }],
  ['1, 2 ,x:3', {}],
  ['1, 2, x:3', { value_1: 1, value_2: 2, x: 3 }],
  ['mode=very fast', { mode: 'very fast' }],
  ['pose={"x":1,"y":2}', { pose: { x: 1, y: 2 } }],
  ['near=[1,2,null]', { near: [1, 2, null] }],
  ['Hello', {}],
  ['Error: no sensor', {}],
  ['12:30', {}],
  ['<Idle|MPos:0.000,0.000>', {}],
  ['>>> print(1)', {}],
  ['{"a":{"b":1}}', {}],
  ['{"a":', {}],
  ['{"__proto__":1}', {}],
  ['1e999', { value_1: null }],
  ['', {}],
])('[DK-80] %j', (line, values) => {
  expect(valuesIn(line)).toEqual(values)
})

test('[DK-80] lines end in any of the usual ways, and arrive in any pieces', () => {
  const whole = bytesOf('a:1\r\nb:2\nc:3\rµ=4 µm\r\n\r\nrest')
  for (const size of [1, 2, 3, 100]) {
    const board = createSerialBoard()
    const lines: string[] = []
    for (let at = 0; at < whole.length; at += size)
      lines.push(...board.take(whole.subarray(at, at + size), 0).lines.map(({ text }) => text))
    expect(lines).toEqual(['a:1', 'b:2', 'c:3', 'µ=4 µm', ''])
    expect(board.pending()).toBe('rest')
  }
})

test('[DK-80] of what came at once, the newest value of each channel counts', () => {
  const { values } = createSerialBoard().take(bytesOf('a:1\na:2\n{"ts":1750000000,"b":5}\n'), 0)
  expect(values).toEqual([
    { channel: 'a', value: 2 },
    { channel: 'b', value: 5, at: 1_750_000_000_000 },
  ])
})

test('[DK-81] a board that describes itself has the channels that it names', () => {
  const board = described()
  expect(board.info()?.title).toBe('Rig')
  expect(board.channels().map(({ name, isGuarded }) => [name, isGuarded])).toEqual([
    ['speed', true],
    ['lamp', false],
    ['title', false],
    ['heat', false],
  ])
  expect(board.take(bytesOf('heat:21\nlamp:1\nother:3\n'), 0)).toMatchObject({
    values: [
      { channel: 'heat', value: 21 },
      { channel: 'lamp', value: true },
    ],
    isDescribed: false,
  })
  board.take(bytesOf('$info=nonsense\n'), 0)
  expect(board.channels()).toHaveLength(4)
})

test('[DK-81] any other board has the channels that it sends, up to 64, and they take no commands', () => {
  const board = createSerialBoard()
  for (let n = 0; n < 100; n += 1) board.take(bytesOf(`c${n}:1\n`), 0)
  expect(board.channels()).toHaveLength(64)
  expect(board.take(bytesOf('c0:2\nc99:2\n'), 0).values).toEqual([{ channel: 'c0', value: 2 }])
  expect(board.write('c0', 1)).toHaveProperty('fault')
})

test.each([
  ['speed', 3.5, 'speed=3.5\n'],
  ['lamp', true, 'lamp=1\n'],
  ['lamp', false, 'lamp=0\n'],
  ['title', 'two words', 'title=two words\n'],
])('[DK-82] %s is told %j', (channel, value, line) => {
  expect(described().write(channel, value)).toEqual({ line })
})

test.each([
  ['speed', 11],
  ['speed', 'fast'],
  ['heat', 1],
  ['nothing', 1],
  ['title', 'x\nspeed=10'],
  ['title', 'x\rspeed=10'],
  ['title', 'x\u2028speed=10'],
  ['title', 'x'.repeat(5_000)],
])('[DK-82] %s is not told %j', (channel, value) => {
  expect(described().write(channel, value)).toHaveProperty('fault')
})

test('[DK-83] a stop is a line of its own, whatever was sent before it', () => {
  const heard = (`half a line${writeStop(true)}` + writeStop(false)).split('\n')
  expect(heard).toContain('$stop=true')
  expect(heard).toContain('$stop=false')
})

test('[DK-84] no bytes make it fail, and what it says fits the limits', () => {
  const pieces = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.constantFrom('a:1\n', '{"a":', '$info={}', '$info=[]\n', '=\n', ':::\n', '\r', '"').map(bytesOf),
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), (all) => {
      const board = createSerialBoard()
      for (const bytes of all)
        for (const { channel, value } of board.take(bytes, 0).values) {
          expect(channel).toMatch(/^[A-Za-z0-9_]/)
          expect(value).not.toBeUndefined()
        }
      expect(board.channels().length).toBeLessThanOrEqual(64)
    }),
  )
})

test('[DK-84] a line without end is held up to its limit, says nothing, and the next one is read', () => {
  const board = createSerialBoard()
  for (let n = 0; n < 100; n += 1) board.take(new Uint8Array(1_000).fill(0x61), n * 1_000)
  expect(board.pending().length).toBe(32_768)
  const { lines, values } = board.take(bytesOf('=1\nb:2\n'), 200_000)
  expect(lines.map(({ isCut }) => isCut)).toEqual([true, false])
  expect(values).toEqual([{ channel: 'b', value: 2 }])
})

test('[DK-84] a line of which bytes were lost says nothing, and the next one is read', () => {
  const board = createSerialBoard()
  board.take(bytesOf('heat:2'), 0)
  board.lose()
  const { lines, values } = board.take(bytesOf('1\nheat:22\n'), 0)
  expect(lines.map(({ isCut }) => isCut)).toEqual([true, false])
  expect(values).toEqual([{ channel: 'heat', value: 22 }])
})

test('[DK-84] a hostile line is read in time that grows with its length', () => {
  const lines = [' '.repeat(4_000) + ':', 'a '.repeat(2_000), 'a:'.repeat(2_000), '1'.repeat(4_000) + 'x']
  const before = performance.now()
  for (let n = 0; n < 50; n += 1) for (const line of lines) readSerialLine(`x${line}`)
  expect(performance.now() - before).toBeLessThan(2_000)
})

test('[DK-84] a board that floods is read more slowly', () => {
  const board = createSerialBoard()
  const second = new Uint8Array(SERIAL_BYTES_PER_SECOND)
  expect(board.take(second, 0).waitMs).toBe(0)
  expect(board.take(second, 0).waitMs).toBe(1_000)
  expect(board.take(second, 2_000).waitMs).toBe(0)
})
