import { expect, test } from 'vitest'
import { boundaryOf, PartReader } from '../../src/workspace/panels/media/mjpeg-parts.ts'
import { retryDelay, StreamError } from '../../src/workspace/panels/media/stream.ts'
import { kindByAddress, kindByType } from '../../src/workspace/panels/media/stream-kind.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test.for([
  ['multipart/x-mixed-replace; boundary=frame', 'frame'],
  ['multipart/x-mixed-replace;boundary="a picture"', 'a picture'],
  ['multipart/x-mixed-replace; boundary=--myboundary', 'myboundary'],
  ['image/jpeg', undefined],
] as const)('[W-750] the boundary of %s is %s', ([type, boundary]) => {
  expect(boundaryOf(type)).toBe(boundary)
})

test('[W-750] pictures are read whatever pieces they come in, with lengths and without', () => {
  const pictures = [[1], [255, 216, 13, 10, 13, 10, 255, 217], Array.from({ length: 60 }, (_, at) => at % 40)]
  for (const isTold of [true, false]) {
    const parts = pictures.flatMap((each) => [
      ...bytes(
        `--b\r\nContent-Type: image/jpeg\r\n${isTold ? `Content-Length: ${each.length}\r\n` : ''}\r\n`,
      ),
      ...each,
      ...bytes('\r\n'),
    ])
    const stream = Uint8Array.from([...parts, ...bytes('--b--\r\n')])
    for (let size = 1; size <= 60; size += 1) {
      const reader = new PartReader('b')
      const found: number[][] = []
      for (let at = 0; at < stream.length; at += size)
        found.push(...reader.push(stream.subarray(at, at + size)).map((each) => [...each]))
      expect(found).toEqual(pictures)
    }
  }
})

test('[W-753] a picture or a head without end is given up', () => {
  const reasonOf = (pieces: readonly string[]) => {
    const reader = new PartReader('b')
    try {
      for (const piece of pieces) reader.push(bytes(piece))
      return undefined
    } catch (error) {
      return error instanceof StreamError ? error.reason : error
    }
  }
  const mebibyte = 'x'.repeat(1024 * 1024)
  expect(reasonOf(Array.from({ length: 10 }, () => mebibyte))).toBe('bad-answer')
  expect(reasonOf(['--b\r\n\r\n', ...Array.from({ length: 10 }, () => mebibyte)])).toBe('too-large')
  expect(reasonOf(['--b\r\nContent-Length: 99999999\r\n\r\n'])).toBe('too-large')
})

test.for([
  ['http://cam/live.m3u8?x=1', 'hls'],
  ['http://cam/a.MP4', 'video'],
  ['http://cam/stream.mjpg', 'mjpeg'],
  ['http://cam/mjpeg/1', 'mjpeg'],
  ['http://cam/?action=stream', 'mjpeg'],
  ['http://cam/mjpegs', undefined],
  ['http://cam/stream', undefined],
] as const)('[W-750] %s is told to be %s', ([url, kind]) => {
  expect(kindByAddress(url)).toBe(kind)
})

test.for([
  ['application/x-mpegURL', 'hls'],
  ['multipart/x-mixed-replace; boundary=x', 'mjpeg'],
  ['video/webm', 'video'],
  ['application/octet-stream', undefined],
] as const)('[W-750] an answer of type %s is %s', ([type, kind]) => {
  expect(kindByType(type)).toBe(kind)
})

test('[W-752] waits grow from one second to thirty, and are not the same for everybody', () => {
  expect([0, 1, 2, 3, 4, 5, 50].map((failures) => retryDelay(failures, () => 0))).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
  ])
  expect(retryDelay(0, () => 1)).toBe(800)
})
