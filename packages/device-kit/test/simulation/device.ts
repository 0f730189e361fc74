import type { DeviceValue } from '@patchbay/contracts/devices'
import { expect } from 'vitest'
import { createBench } from '../../src/simulation/index.ts'

/** One device of a bench, as a test uses it. */
export function device(name: string, seed = 1) {
  const found = createBench(seed).find((each) => each.name === name)
  if (found === undefined) throw new Error(`no device ${name}`)
  const value = (channel: string): DeviceValue => found.values()[channel] ?? null
  return {
    ...found,
    value,
    number: (channel: string): number => numberOf(value(channel)),
    /** A number of a flat object. */
    member: (channel: string, key: string): number => {
      const given = value(channel)
      return numberOf(
        typeof given === 'object' && given !== null
          ? Object.entries(given).find(([each]) => each === key)?.[1]
          : null,
      )
    },
    /** Told, and done. */
    tell(channel: string, wanted: DeviceValue = true) {
      expect(found.command(channel, wanted)).toEqual({ status: 'done' })
    },
    refusal: (channel: string, wanted: DeviceValue = true) => found.command(channel, wanted).message,
    /** What `read` returns after each step of 0.05 s. */
    trace<T>(seconds: number, read: () => T): T[] {
      return Array.from({ length: Math.round(seconds / 0.05) }, () => {
        found.step(0.05)
        return read()
      })
    },
  }
}

function numberOf(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError(`no number: ${JSON.stringify(value)}`)
  return value
}

/** The largest change from one to the next. */
export function leap(values: readonly number[]): number {
  return Math.max(...values.slice(1).map((value, index) => Math.abs(value - (values[index] ?? value))))
}
