import { expect, test } from 'vitest'
import { SeriesBuffer } from '../../src/workspace/instruments/series-buffer.ts'

function filled(capacity: number, count: number): SeriesBuffer {
  const buffer = new SeriesBuffer(capacity)
  for (let index = 0; index < count; index += 1) buffer.append(index, index * 10)
  return buffer
}

test('[W-694] a buffer keeps the latest values, however many come', () => {
  const buffer = filled(4, 10)
  expect(buffer.size).toBe(4)
  expect([buffer.firstTime, buffer.lastTime, buffer.lastValue]).toEqual([6, 9, 90])
  expect([...buffer.view(-Infinity, Infinity).values]).toEqual([60, 70, 80, 90])
})

test('[W-694] a view has what lies between two times, both included', () => {
  const buffer = filled(8, 20)
  expect([...buffer.view(14, 16).times]).toEqual([14, 15, 16])
  expect([...buffer.view(30, 40).times]).toEqual([])
  expect([...buffer.view(14.5, 14.9).times]).toEqual([])
})

test('[W-694] what is older than the last value is refused', () => {
  const buffer = filled(8, 3)
  expect(buffer.append(1, 5)).toBe(false)
  expect(buffer.append(Number.NaN, 5)).toBe(false)
  expect(buffer.append(2, 5)).toBe(true)
  expect(buffer.size).toBe(4)
})

test('[W-694] of more than can be drawn the peaks stay', () => {
  const buffer = new SeriesBuffer(10_000)
  for (let index = 0; index < 10_000; index += 1) buffer.append(index, index === 7_654 ? 99 : index % 2)
  const { times, values } = buffer.view(0, 10_000, 100)
  expect(values).toHaveLength(200)
  expect(Math.max(...values)).toBe(99)
  expect(times[values.indexOf(99)]).toBe(7_654)
  expect([...times]).toEqual([...times].toSorted((one, other) => one - other))
})

test('[W-694] a copy stays as it was, and listeners hear of each value', () => {
  const buffer = filled(4, 4)
  const copy = buffer.copy()
  let heard = 0
  const end = buffer.subscribe(() => {
    heard += 1
  })
  buffer.append(20, 1)
  end()
  buffer.append(21, 1)
  expect(heard).toBe(1)
  expect(copy.lastTime).toBe(3)
})

test('[W-694] all of it is replaced, and tells so once', () => {
  const buffer = filled(4, 10)
  let told = 0
  buffer.subscribe(() => {
    told += 1
  })
  buffer.replace([
    [1, 10],
    [2, 20],
    [1.5, 0],
  ])
  expect([buffer.size, buffer.firstTime, buffer.lastValue, told]).toEqual([2, 1, 20, 1])
})
