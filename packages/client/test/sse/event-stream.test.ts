import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventStreamParser, EventTooLarge, type StreamEvent } from '../../src/sse/event-stream.ts'

function parse(...chunks: readonly Uint8Array[]): StreamEvent[] {
  const parser = new EventStreamParser()
  return chunks.flatMap((chunk) => parser.push(chunk))
}

const bytes = (text: string) => new TextEncoder().encode(text)

function cutAt(whole: Uint8Array, places: readonly number[]): Uint8Array[] {
  const cuts = [...new Set(places.map((place) => place % (whole.length + 1)))].toSorted((a, b) => a - b)
  return [0, ...cuts].map((from, index) => whole.subarray(from, cuts[index] ?? whole.length))
}

const value = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll(/[\r\n\0]/g, '-'))
const field = fc.oneof(
  value.map((text) => `data: ${text}`),
  value.map((text) => `event:${text}`),
  value.map((text) => `: ${text}`),
  fc.constantFrom('data', 'id: 7', 'retry: 1000', 'unknown: x', ''),
)
const stream = fc
  .record({
    lines: fc.array(fc.tuple(field, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 20 }),
    mark: fc.boolean(),
  })
  .map(({ lines, mark }) => (mark ? '\uFEFF' : '') + lines.map(([line, end]) => line + end).join(''))

test('[CL-21] events are the same however their bytes are cut', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(), { maxLength: 30 }), (text, places) => {
      const whole = bytes(text)
      expect(parse(...cutAt(whole, places))).toEqual(parse(whole))
      expect(parse(...Array.from(whole, (byte) => Uint8Array.of(byte)))).toEqual(parse(whole))
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['LF', 'event: a\ndata: 1\n\n'],
  ['CR', 'event: a\rdata: 1\r\r'],
  ['CRLF', 'event: a\r\ndata: 1\r\n\r\n'],
  ['a byte order mark', '\uFEFFevent: a\ndata: 1\n\n'],
  ['comments around it', ': ping\n\n:\nevent: a\n: in between\ndata: 1\n\n: ping\n\n'],
  ['no space after the colon', 'event:a\ndata:1\n\n'],
  ['fields nobody knows', 'id: 3\nretry: 5\nfoo\nevent: a\ndata: 1\n\n'],
])('[CL-21] an event is read with %s', (_what, text) => {
  expect(parse(bytes(text))).toEqual([{ name: 'a', data: '1' }])
})

test('[CL-21] data of several lines is joined, one space is taken off, and a name alone is an event', () => {
  expect(parse(bytes('data: a\ndata:  b\ndata\n\nevent: timeout\n\n\n\n'))).toEqual([
    { name: 'message', data: 'a\n b\n' },
    { name: 'timeout', data: '' },
  ])
})

test('[CL-21] an event whose end did not come is none', () => {
  expect(parse(bytes('event: authenticated\ndata: {"session_token":"x"}\n'))).toEqual([])
})

test.each([
  ['one line without an end', 'data: ', 'x'],
  ['a comment without an end', ': ', 'x'],
  ['lines without end', '', 'data: xxxxxxxxxxxxxxxx\n'],
  ['empty lines of data', '', 'data\n'],
])('[CL-22] %s is not kept', (_what, start, piece) => {
  const parser = new EventStreamParser()
  parser.push(bytes(start))
  const chunk = bytes(piece.repeat(1_000))
  expect(() => {
    for (let count = 0; count < 1_000; count += 1) parser.push(chunk)
  }).toThrow(EventTooLarge)
})

test('[CL-22] comments and events can go on forever', () => {
  const parser = new EventStreamParser()
  const chunk = bytes(': ping\n\nevent: other\ndata: 1\n\n')
  for (let count = 0; count < 3_000; count += 1) expect(parser.push(chunk)).toHaveLength(1)
})
