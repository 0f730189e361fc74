import { expect, test } from 'vitest'
import { PROBLEMS, Problem, type ProblemCode } from '../src/core/index.ts'
import { DEFAULT_PORTS, LIMITS } from '../src/core/limits.ts'

test('[CT-1] every code serializes with its own status and title', () => {
  for (const code of Object.keys(PROBLEMS) as ProblemCode[]) {
    const body = new Problem(code).toJSON()
    expect(body).toEqual({
      type: `/problems/${code}`,
      title: PROBLEMS[code].title,
      status: PROBLEMS[code].status,
      code,
    })
    expect(body.status).toBeGreaterThanOrEqual(400)
  }
})

test('[CT-2] an extension cannot pose as a standard member', () => {
  const problem = new Problem('rate_limited', {
    detail: 'slow down',
    extensions: { status: 200, code: 'x', hint: 1 },
  })
  expect(problem.toJSON()).toMatchObject({ status: 429, code: 'rate_limited', detail: 'slow down', hint: 1 })
})

test('[CT-9] the limits are the ones the contract fixes', () => {
  expect(LIMITS).toMatchObject({
    intentLifetimeMs: 900_000,
    sessionLifetimeSeconds: 7_776_000,
    gatewayRegistrationLifetimeMs: 600_000,
    watchdogPollIntervalMs: 10_000,
    watchdogFailuresBeforeRestart: 3,
    tokenRefreshMarginMs: 60_000,
    statusPollIntervalMs: 2_000,
    intentPollIntervalMs: 2_000,
    screenshotMaxSidePx: 1568,
    pngCompressionLevel: 9,
  })
  expect(DEFAULT_PORTS).toMatchObject({ gateway: 8795, watchdog: 8796 })
})
