import { expect, test } from 'vitest'
import { type OpenSession, unique } from './rig.ts'

export function rateLimitContract(open: OpenSession): void {
  test('[K-541] a burst of max passes on any nodes, then one per window divided by max', async () => {
    await using session = await open()
    const buses = await Promise.all([session.connect(), session.connect()])
    const key = unique('key')
    const rule = { max: 7, windowMs: 1_000 }
    const hit = (index: number) => (buses[index % 2] ?? buses[0]).rateLimit.hit(key, rule)
    for (let index = 0; index < 7; index += 1) {
      expect(await hit(index)).toEqual({ allowed: true, remaining: 6 - index, retryAfterMs: 0 })
    }
    expect(await hit(7)).toEqual({ allowed: false, remaining: 0, retryAfterMs: 143 })
    let passed = 0
    for (let second = 0; second < 70; second += 1) {
      session.clock.advance(100)
      if ((await hit(second)).allowed) passed += 1
    }
    expect(passed).toBe(49)
    session.clock.advance(100_000)
    const burst = await Promise.all(Array.from({ length: 20 }, (_, index) => hit(index)))
    expect(burst.filter(({ allowed }) => allowed)).toHaveLength(7)
  })

  test('[K-542] a hit is refused a millisecond before retryAfterMs is over, and passes when it is', async () => {
    await using session = await open()
    const bus = await session.connect()
    const key = unique('key')
    const rule = { max: 3, windowMs: 60_000 }
    for (let index = 0; index < 3; index += 1) await bus.rateLimit.hit(key, rule)
    const refused = await bus.rateLimit.hit(key, rule)
    expect(refused).toEqual({ allowed: false, remaining: 0, retryAfterMs: 20_000 })
    session.clock.advance(refused.retryAfterMs - 1)
    expect(await bus.rateLimit.hit(key, rule)).toEqual({ allowed: false, remaining: 0, retryAfterMs: 1 })
    session.clock.advance(1)
    expect(await bus.rateLimit.hit(key, rule)).toEqual({ allowed: true, remaining: 0, retryAfterMs: 0 })
  })

  test('[K-543] a refused hit costs nothing, keys do not touch each other, and a rule must make sense', async () => {
    await using session = await open()
    const bus = await session.connect()
    const key = unique('key')
    const rule = { max: 1, windowMs: 1_000 }
    await bus.rateLimit.hit(key, rule)
    for (let index = 0; index < 20; index += 1)
      expect((await bus.rateLimit.hit(key, rule)).allowed).toBe(false)
    expect((await bus.rateLimit.hit(unique('key'), rule)).allowed).toBe(true)
    session.clock.advance(1_000)
    expect((await bus.rateLimit.hit(key, rule)).allowed).toBe(true)
    await expect(bus.rateLimit.hit(key, { max: 0, windowMs: 1_000 })).rejects.toThrow(RangeError)
    await expect(bus.rateLimit.hit(key, { max: 1, windowMs: 0.5 })).rejects.toThrow(RangeError)
  })
}
