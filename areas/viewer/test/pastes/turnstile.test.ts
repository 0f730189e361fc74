import { expect, test } from 'vitest'
import { Turnstile } from '../../src/pastes/turnstile.ts'

const TOO_MANY = { code: 'too_many_uploads', headers: { 'retry-after': '5' } }

/** Work that ends when it is told to. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: () => promise, end: resolve }
}

test('[E-123] so many go in at once, some wait in order, one more is sent away', async () => {
  const turnstile = new Turnstile({ atOnce: 2, waiting: 2, patienceMs: 60_000 })
  const entered: string[] = []
  const works = ['a', 'b', 'c', 'd'].map((name) => ({ name, ...held() }))
  const done = works.map(({ name, work }) =>
    turnstile.pass(async () => {
      entered.push(name)
      await work()
    }),
  )
  await Promise.resolve()
  expect(entered).toEqual(['a', 'b'])
  await expect(turnstile.pass(async () => entered.push('e'))).rejects.toMatchObject(TOO_MANY)
  for (const { end } of works) end()
  await Promise.all(done)
  expect(entered).toEqual(['a', 'b', 'c', 'd'])
  await turnstile.pass(async () => entered.push('f'))
  expect(entered).toContain('f')
})

test('[E-123] work that fails gives its place back', async () => {
  const turnstile = new Turnstile({ atOnce: 1, waiting: 0, patienceMs: 60_000 })
  for (const round of [1, 2, 3])
    await expect(turnstile.pass(() => Promise.reject(new Error(`round ${round}`)))).rejects.toThrow('round')
  expect(await turnstile.pass(async () => 'inside')).toBe('inside')
})

test('[E-123] who has waited too long is sent away, and does not get a place later', async () => {
  const turnstile = new Turnstile({ atOnce: 1, waiting: 1, patienceMs: 20 })
  const { work, end } = held()
  const first = turnstile.pass(work)
  await expect(turnstile.pass(async () => 'late')).rejects.toMatchObject(TOO_MANY)
  end()
  await first
  expect(await turnstile.pass(async () => 'next')).toBe('next')
})

test('[E-135] when it closes, who is inside goes on and nobody else goes in', async () => {
  const turnstile = new Turnstile({ atOnce: 1, waiting: 5, patienceMs: 60_000 })
  const { work, end } = held()
  const inside = turnstile.pass(work)
  const waiting = turnstile.pass(async () => undefined)
  turnstile.close()
  await expect(waiting).rejects.toMatchObject({ code: 'shutting_down' })
  await expect(turnstile.pass(async () => undefined)).rejects.toMatchObject({ code: 'shutting_down' })
  end()
  await expect(inside).resolves.toBeUndefined()
})
