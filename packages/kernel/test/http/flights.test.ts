import * as fc from 'fast-check'
import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { Deadlines } from '../../src/http/deadlines.ts'
import { beginFlight, type Flight, FlightList } from '../../src/http/flights.ts'

const noReply = {} as FastifyReply

test('[K-215] whatever is added and removed, also twice, the list holds the rest in the order of arrival', () => {
  const steps = fc.array(fc.oneof(fc.constant('add' as const), fc.nat({ max: 30 })), { maxLength: 60 })
  fc.assert(
    fc.property(steps, (script) => {
      const list = new FlightList()
      const all: Flight[] = []
      const gone = new Set<Flight>()
      for (const step of script) {
        if (step === 'add') {
          const flight = beginFlight(noReply, all.length, undefined)
          all.push(flight)
          list.add(flight)
        } else {
          const flight = all[step]
          if (flight === undefined) continue
          gone.add(flight)
          list.remove(flight)
        }
      }
      expect([...list]).toEqual(all.filter((flight) => !gone.has(flight)))
    }),
  )
})

test('[K-215] routes without a deadline are in no list: nothing would ever take their streams out', () => {
  const deadlines = new Deadlines()
  expect(deadlines.list(0)).toBeUndefined()
  expect(deadlines.list(500)).toBe(deadlines.list(500))
  deadlines.stop()
})
