import { emptyLayout } from '@patchbay/workspace-layout'
import { expect, test } from 'vitest'
import type { OpenBrowser } from '../../src/control.ts'
import { presentCurrent } from '../../src/workspaces/current.ts'

const WORKSPACE = {
  owner: 'ada',
  repo: 'board',
  version: 0,
  layout: emptyLayout('11111111-1111-4111-8111-111111111111'),
  stateRevision: 0,
  createdAt: new Date(0),
  changedAt: new Date(0),
}

const browser = (given: Partial<OpenBrowser>): OpenBrowser => ({
  browserId: 'b',
  node: 'test-1',
  isVisible: true,
  isSharing: false,
  mayAct: true,
  focusedAt: 0,
  readyTabs: [],
  ...given,
})

test('[D-272] sharing is said of the browser that acts, and of no other', () => {
  const isSharing = (...browsers: OpenBrowser[]) =>
    presentCurrent(WORKSPACE, new Map(), [], new Set(), browsers).isSharing
  expect(isSharing()).toBe(false)
  expect(isSharing(browser({ isSharing: true }))).toBe(true)
  expect(isSharing(browser({}), browser({ isSharing: true }))).toBe(false)
  // Whoever only watches may share their screen, but nobody can have them take a picture.
  expect(isSharing(browser({ isSharing: true, mayAct: false }))).toBe(false)
})
