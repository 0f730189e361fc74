import { array, assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { BoundedCache } from '../../src/files/bounded-cache.ts'

const lengths = () => new BoundedCache<string>({ maxWeight: 10, weigh: (text) => text.length })

test('[A-429] what was not used for longest goes first', () => {
  const cache = lengths()
  cache.put('a', 'aaaa')
  cache.put('b', 'bbbb')
  cache.peek('a')
  cache.put('c', 'cccc')
  expect(['a', 'b', 'c'].map((key) => cache.peek(key))).toEqual(['aaaa', undefined, 'cccc'])
})

test('[A-429] the weight never passes the limit, whatever is put', () => {
  assert(
    property(array(integer({ min: 0, max: 15 })), (sizes) => {
      const cache = lengths()
      let isBounded = true
      for (const [index, size] of sizes.entries()) {
        cache.put(String(index % 4), 'x'.repeat(size))
        isBounded &&= cache.weight <= 10
      }
      return isBounded
    }),
  )
  const cache = lengths()
  cache.put('large', 'x'.repeat(11))
  expect(cache.peek('large')).toBeUndefined()
})

test('[A-429] what is being loaded is loaded once, and a failure or nothing is not remembered', async () => {
  const cache = lengths()
  let asked = 0
  const ask = async () => {
    asked += 1
    await new Promise((resolve) => setTimeout(resolve, 5))
    return 'value'
  }
  await Promise.all([cache.load('a', ask), cache.load('a', ask), cache.load('a', ask)])
  expect(asked).toBe(1)
  await expect(cache.load('b', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await cache.load('b', async () => undefined)).toBeUndefined()
  expect(await cache.load('b', async () => 'there')).toBe('there')
})

test('[A-429] what was asked before the cache was emptied is not kept', async () => {
  const cache = lengths()
  const loading = cache.load('a', async () => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return 'old'
  })
  cache.clear()
  expect(await loading).toBe('old')
  expect(cache.peek('a')).toBeUndefined()
})
