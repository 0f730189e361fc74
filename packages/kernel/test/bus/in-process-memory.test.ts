import { describe, expect, test } from 'vitest'
import { ClaimLedger } from '../../src/bus/claim-ledger.ts'
import { ExpiringMap } from '../../src/bus/expiring-map.ts'

describe('memory of the bus in one process', () => {
  test('[K-554] a map of things that end stays near what is alive, and no write scans it', () => {
    const map = new ExpiringMap<number>()
    const alive = 1_000
    let slowest = 0
    for (let now = 0; now < 200_000; now += 1) {
      const start = performance.now()
      map.set(`key${now}`, now, now + alive, now)
      slowest = Math.max(slowest, performance.now() - start)
    }
    expect(map.size).toBeLessThan(alive * 2)
    expect(map.get('key199999', 200_000)).toBe(199_999)
    expect(map.get('key199999', 200_999)).toBeUndefined()
    expect(slowest).toBeLessThan(200)
  })

  test('[K-554] entries of different lifetimes are swept too, and a rewritten one lives on', () => {
    const map = new ExpiringMap<string>()
    map.set('forever', 'old', Number.POSITIVE_INFINITY, 0)
    for (let now = 0; now < 50_000; now += 1) map.set(`key${now}`, '', now + (now % 100), now)
    map.set('forever', 'new', Number.POSITIVE_INFINITY, 50_000)
    expect(map.size).toBeLessThan(250)
    expect(map.get('forever', 50_000)).toBe('new')
  })

  test('[K-554] a ledger forgets claims that ended, though nobody counts them', () => {
    const ledger = new ClaimLedger()
    for (let now = 0; now < 10_000; now += 1) ledger.add(`key${now}`, 'e', now + 100, now)
    expect([...ledger.keys()].length).toBeLessThanOrEqual(101)
    expect(ledger.count(10_050)).toBe(49)
    expect(ledger.count(20_000)).toBe(0)
  })
})
