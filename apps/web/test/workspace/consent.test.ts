import { expect, test } from 'vitest'
import { createConsent } from '../../src/workspace/commands/consent.ts'
import type { Asked } from '../../src/workspace/commands/run-command.ts'

const request = (name: string, scope: Asked['scope'] = 'panel'): Asked => ({
  by: { kind: 'api_key', name, handle: 'ada' },
  reason: undefined,
  scope,
})

function start() {
  const time = { now: 0 }
  return { time, consent: createConsent(() => time.now) }
}

test('[W-360] what is shown stays until it is answered', () => {
  const { consent } = start()
  const first = request('one')
  consent.ask(first)
  for (const other of [request('two', 'screen'), request('one', 'screen')]) {
    expect(consent.ask(other)).toBe(0)
    expect(consent.shown.get()).toBe(first)
  }
  consent.settle()
  expect(consent.shown.get()).toBeUndefined()
})

test('[W-360] F9: who was declined is told for how long not to ask: a minute, then five; others are heard', () => {
  const { consent, time } = start()
  const isHeard = (name: string) => {
    const seconds = consent.ask(request(name))
    return { seconds, isShown: consent.shown.get()?.by.name === name }
  }
  expect(isHeard('one')).toEqual({ seconds: 0, isShown: true })
  consent.decline()
  expect(isHeard('one')).toEqual({ seconds: 60, isShown: false })
  time.now = 59_500
  expect(isHeard('one')).toEqual({ seconds: 1, isShown: false })
  time.now = 60_000
  expect(isHeard('one')).toEqual({ seconds: 0, isShown: true })
  consent.decline()
  expect(isHeard('one')).toEqual({ seconds: 300, isShown: false })
  expect(isHeard('two')).toEqual({ seconds: 0, isShown: true })
  consent.settle()
  time.now = 360_000
  expect(isHeard('one')).toEqual({ seconds: 0, isShown: true })
})

test('[W-360] however many are declined, only so many are remembered', () => {
  const { consent } = start()
  for (let number = 0; number < 500; number += 1) {
    consent.ask(request(`${number}`))
    consent.decline()
  }
  expect(consent.ask(request('399'))).toBe(0)
  consent.settle()
  expect(consent.ask(request('400'))).toBe(60)
})
