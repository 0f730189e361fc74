import { expect, test } from 'vitest'
import type { Asked } from '../../src/workspace/commands/run-command.ts'
import { type Consent, consentAfter, NOTHING_ASKED } from '../../src/workspace/consent/consent.ts'

const request = (name: string, scope: Asked['scope'] = 'panel'): Asked => ({
  by: { kind: 'api_key', name, handle: 'ada' },
  reason: undefined,
  scope,
})

const ask = (consent: Consent, asked: Asked | undefined, now = 0) =>
  consentAfter(consent, { type: 'asked', request: asked, now })
const refuse = (consent: Consent, now = 0) => consentAfter(consent, { type: 'refused', now })

test('[W-360] what is shown stays until it is answered', () => {
  const first = request('one')
  const shown = ask(NOTHING_ASKED, first)
  expect(shown.shown).toBe(first)
  expect(ask(shown, request('two', 'screen')).shown).toBe(first)
  expect(ask(shown, request('one', 'screen')).shown).toBe(first)
  expect(ask(shown, undefined).shown).toBeUndefined()
})

test('[W-360] who was refused twice is not heard for five minutes, and others are', () => {
  const once = refuse(ask(NOTHING_ASKED, request('one')))
  expect(once.shown).toBeUndefined()
  const again = ask(once, request('one'), 1_000)
  expect(again.shown).toBeDefined()
  const twice = refuse(again, 1_000)
  for (const now of [1_001, 60_000, 299_999]) expect(ask(twice, request('one'), now).shown).toBeUndefined()
  expect(ask(twice, request('two'), 2_000).shown).toBeDefined()
  expect(ask(twice, request('one'), 301_000).shown).toBeDefined()
})

test('[W-360] however many are refused, only so many are remembered', () => {
  let consent = NOTHING_ASKED
  for (let number = 0; number < 500; number += 1) consent = refuse(ask(consent, request(`${number}`)))
  expect(consent.refused).toHaveLength(100)
})
