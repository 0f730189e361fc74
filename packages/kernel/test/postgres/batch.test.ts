import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batchPerTurn } from '../../src/postgres/index.ts'

function recorded(most?: number) {
  const asked: (readonly number[])[] = []
  const double = batchPerTurn<number, number>(
    async (keys) => {
      asked.push(keys)
      return keys.map((key) => key * 2)
    },
    most === undefined ? {} : { most },
  )
  return { asked, double }
}

test('[K-425] what is asked in one turn is asked once, and everybody gets their own answer', async () => {
  const { asked, double } = recorded()
  expect(await Promise.all([double(1), double(2), double(1)])).toEqual([2, 4, 2])
  await nextTurn()
  expect(await double(5)).toBe(10)
  expect(asked).toEqual([[1, 2, 1], [5]])
})

test('[K-425] a batch has a size, and what is more goes beside it', async () => {
  const { asked, double } = recorded(2)
  expect(await Promise.all([1, 2, 3, 4, 5].map(double))).toEqual([2, 4, 6, 8, 10])
  expect(asked).toEqual([[1, 2], [3, 4], [5]])
})

test('[K-425] a failure is heard by those who asked with it, and by nobody after', async () => {
  let isAway = true
  const find = batchPerTurn<number, number>(async (keys) => {
    if (isAway) throw new Error('away')
    return keys
  })
  const outcomes = await Promise.allSettled([find(1), find(2)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isAway = false
  expect(await find(3)).toBe(3)
})

test('[K-425] an answer that does not fit its question is refused, not mixed up', async () => {
  const find = batchPerTurn<number, number>(async () => [1])
  const outcomes = await Promise.allSettled([find(1), find(2)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
