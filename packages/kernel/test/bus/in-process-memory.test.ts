import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { ExpiringMap } from '../../src/bus/in-process/state.ts'
import { LiveClaims } from '../../src/bus/ports/live-claims.ts'

describe('memory of the bus in one process', () => {
  test('[K-554] a map of things that end stays near what is alive', () => {
    const map = new ExpiringMap<number>()
    const alive = 1_000
    for (let now = 0; now < 200_000; now += 1) map.set(`key${now}`, now, now + alive, now)
    expect(map.size).toBeLessThan(alive * 2)
    expect(map.get('key199999', 200_000)).toBe(199_999)
    expect(map.get('key199999', 200_999)).toBeUndefined()
  })

  test('[K-554] no write scans the map: where all has ended, each takes away a few', () => {
    const map = new ExpiringMap<number>()
    const count = 10_000
    for (let index = 0; index < count; index += 1) map.set(`key${index}`, index, 100, 0)
    let before = map.size
    for (let writes = 1; before > writes; writes += 1) {
      expect(writes).toBeLessThan(count)
      map.set(`new${writes}`, writes, 1_000, 100)
      expect(before + 1 - map.size).toBeLessThanOrEqual(10)
      before = map.size
    }
    expect(map.get('key0', 0)).toBeUndefined()
    expect(map.get('new1', 100)).toBe(1)
  })

  test('[K-554] entries of different lifetimes are swept too, and a rewritten one lives on', () => {
    const map = new ExpiringMap<string>()
    map.set('forever', 'old', Number.POSITIVE_INFINITY, 0)
    for (let now = 0; now < 50_000; now += 1) map.set(`key${now}`, '', now + (now % 100), now)
    map.set('forever', 'new', Number.POSITIVE_INFINITY, 50_000)
    expect(map.size).toBeLessThan(250)
    expect(map.get('forever', 50_000)).toBe('new')
  })

  test('[K-554] claims that ended are forgotten, though nobody counts them', () => {
    const claims = new LiveClaims()
    for (let now = 0; now < 10_000; now += 1)
      claims.add(`key${now}`, { epoch: 'e', seal: undefined, expiresAt: now + 100 }, now)
    expect([...claims.keys()].length).toBeLessThanOrEqual(101)
    expect(claims.count(10_050)).toBe(49)
    expect(claims.count(20_000)).toBe(0)
  })

  test('[K-595] claims are counted exactly, in whatever order they end', () => {
    const step = fc.record({
      act: fc.constantFrom('add', 'add', 'add', 'add', 'remove', 'wait'),
      key: fc.nat(50).map(String),
      epoch: fc.constantFrom('1', '2'),
      ms: fc.nat(400),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
        const claims = new LiveClaims()
        const model = new Map<string, { readonly epoch: string; readonly expiresAt: number }>()
        let now = 0
        for (const { act, key, epoch, ms } of steps) {
          if (act === 'wait') now += ms / 20
          if (act === 'add') {
            claims.add(key, { epoch, seal: undefined, expiresAt: now + ms }, now)
            model.set(key, { epoch, expiresAt: now + ms })
          }
          if (act === 'remove') {
            claims.remove(key, epoch)
            if (model.get(key)?.epoch === epoch) model.delete(key)
          }
          const alive = [...model].filter(([, { expiresAt }]) => expiresAt > now).map(([name]) => name)
          expect(claims.count(now)).toBe(alive.length)
          expect([...claims.keys()].toSorted()).toEqual(alive.toSorted())
        }
      }),
      { numRuns: 100 },
    )
  })

  deepTest('[K-595] a hundred thousand claims are counted and changed without a scan', () => {
    const claims = new LiveClaims()
    const size = 100_000
    const endOf = (index: number) => 1_000 + ((index * 7_919) % size)
    const start = performance.now()
    for (let index = 0; index < size; index += 1) {
      claims.add(`${index}`, { epoch: 'e', seal: undefined, expiresAt: endOf(index) }, 0)
      claims.count(0)
    }
    for (let now = 1_000; now < 1_000 + size / 2; now += 1) expect(claims.count(now)).toBe(size - (now - 999))
    for (let index = 0; index < size; index += 1) claims.remove(`${index}`, 'e')
    expect(claims.count(0)).toBe(0)
    // Scans would be some ten thousand million steps.
    expect(performance.now() - start).toBeLessThan(15_000)
  })
})
