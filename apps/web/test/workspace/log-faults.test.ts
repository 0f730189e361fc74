import type { BrowserCommand } from '@patchbay/contracts/panels'
import { expect, test } from 'vitest'
import { faultLine, logUncaught } from '../../src/workspace/log-faults.ts'
import { createLogStore } from '../../src/workspace/workspace-session.ts'
import { tabId } from './layouts.ts'

const SCREENSHOT: BrowserCommand = {
  kind: 'screenshot',
  captureId: '0198c2f4-7d1e-7b3a-9c55-2f6e1d0a4b8c',
  scope: 'panel',
  method: 'element-capture',
  tabId: tabId(1),
  by: { kind: 'api_key', name: 'Agent', handle: 'ada' },
}
const EVAL: BrowserCommand = { kind: 'eval', tabId: tabId(1), code: 'throw 1', timeoutMs: 1_000 }

test('[W-454] F12: a picture that failed is in the log with why and for whom, a person who did not share is not', () => {
  const failed = (code: 'cannot_capture' | 'no_such_tab' | 'sharing_not_enabled' | 'sharing_declined') =>
    faultLine(SCREENSHOT, { type: 'failed', id: 'c', code, message: 'No picture came' })
  for (const code of ['cannot_capture', 'no_such_tab'] as const)
    expect(failed(code)).toMatchObject({
      level: 'error',
      text: 'The screenshot for Agent (ada) failed: No picture came',
    })
  for (const code of ['sharing_not_enabled', 'sharing_declined'] as const)
    expect(failed(code)).toBeUndefined()
})

test('[W-454] F12: code of an agent that failed is in the log, code that ran is not', () => {
  const ran = (status: 'executed' | 'error') =>
    faultLine(EVAL, { type: 'done', id: 'c', evaluation: { status, error: 'Error: boom', durationMs: 1 } })
  expect(ran('error')).toMatchObject({ source: 'console', level: 'error', text: 'Code failed: Error: boom' })
  expect(ran('executed')).toBeUndefined()
})

test('[W-454] F12: errors of the page that nobody caught are in the log, until it is told to stop', () => {
  const log = createLogStore()
  const page = new EventTarget()
  const stop = logUncaught(page, log)
  const fire = (type: string, facts: object) => page.dispatchEvent(Object.assign(new Event(type), facts))
  fire('error', { message: 'Uncaught Error: boom', error: new Error('boom') })
  fire('error', { message: 'Script error.', error: null })
  fire('error', { message: 'ResizeObserver loop completed with undelivered notifications.' })
  fire('unhandledrejection', { reason: new TypeError('lost') })
  stop()
  fire('error', { message: 'late' })
  expect(log.entries().map(({ level, text }) => `${level} ${text}`)).toEqual([
    'error Uncaught Error: boom',
    'error Uncaught Script error.',
    'error Uncaught in a promise: TypeError: lost',
  ])
})
