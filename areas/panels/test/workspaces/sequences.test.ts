import type { CurrentWorkspace } from '@patchbay/contracts/panels'
import { depth } from '@patchbay/testkit/depth'
import { checkLayout, tabs } from '@patchbay/workspace-layout'
import { type Arbitrary, array, assert, asyncProperty, constantFrom, nat, record, uuid } from 'fast-check'
import { expect, test } from 'vitest'
import { findBuiltIn } from '../../src/catalog/built-in-panels.ts'
import type { TestCaller } from '../caller.ts'
import { takePanels } from '../start.ts'
import { makeWorkspaceOf, readCurrent } from './current.ts'

const PANELS = ['webview', 'viewer-3d', 'script-runner', 'system-log', 'toaster']

const steps = record({
  kind: constantFrom(
    'tab',
    'tab',
    'split',
    'split',
    'move',
    'rename',
    'activate',
    'remove',
    'resize',
    'import',
  ),
  aim: nat(),
  panel: constantFrom(...PANELS),
  direction: constantFrom('left', 'right', 'up', 'down'),
  index: nat(4),
  id: uuid(),
})
type Step = typeof steps extends Arbitrary<infer Value> ? Value : never

/** One call, aimed at whatever the workspace has; now and then at what it has not. */
async function take(
  caller: TestCaller,
  at: string,
  current: CurrentWorkspace,
  step: Step,
): Promise<Response> {
  const { kind, aim, panel, direction, index, id } = step
  const pick = <Item>(items: readonly Item[]) => items[aim % (items.length + 1)]
  const tab = pick(current.tabs)
  const panelId = tab?.panelId
  const path = `${at}/current/tabs/${tab?.tabId ?? id}`
  const place = panelId === undefined ? {} : { panelId }
  switch (kind) {
    case 'tab':
      return await caller.send('POST', `${at}/current/tabs`, { panelType: panel, tabId: id, ...place })
    case 'split':
      return await caller.send('POST', `${at}/current/splits`, { panelType: panel, direction, ...place })
    case 'move': {
      const moveTo = index < 2 ? { ...place, direction } : { ...place, index }
      const moved = current.tabs[index % Math.max(1, current.tabs.length)]?.tabId ?? id
      return await caller.send('PATCH', `${at}/current/tabs/${moved}`, { moveTo })
    }
    case 'rename':
      return await caller.send('PATCH', path, { displayName: `N${index}` })
    case 'activate':
      return await caller.send('PATCH', path, { isActive: true })
    case 'remove':
      return await caller.send('DELETE', path)
    case 'resize': {
      const { root } = current.layout
      const sizes = root.type === 'split' ? root.children.map((_, number) => number + index + 1) : [1, 2]
      return await caller.send('PATCH', `${at}/current/splits/${root.id}`, { sizes })
    }
    case 'import':
      break
  }
  const { version, layout } = current
  return await caller.send('PUT', `${at}/current`, { version: index === 0 ? version + 1 : version, layout })
}

const RUNS = depth({ common: 10, deep: 100 })

test('[D-68] no sequence of calls leaves a layout that breaks its rules', { timeout: 120_000 }, async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const answers = new Map<number, number>()
  let runs = 0
  await assert(
    asyncProperty(array(steps, { minLength: 5, maxLength: 25 }), async (sequence) => {
      runs += 1
      const at = await makeWorkspaceOf(ada, 'ada', `run-${runs}`)
      let current = await readCurrent(ada, at)
      for (const step of sequence) {
        const { status } = await take(ada, at, current, step)
        answers.set(status, (answers.get(status) ?? 0) + 1)
        expect(status).toBeLessThan(500)
        const next = await readCurrent(ada, at)
        expect(checkLayout(next.layout)).toEqual([])
        expect([0, status >= 400 ? 0 : 1]).toContain(next.version - current.version)
        const once = tabs(next.layout).filter(({ panel }) => findBuiltIn(panel)?.singleton)
        expect(new Set(once.map(({ panel }) => panel)).size).toBe(once.length)
        current = next
      }
    }),
    { numRuns: RUNS },
  )
  // A walk that is refused all the way, or never, would prove little.
  expect(answers.get(201) ?? 0).toBeGreaterThan(RUNS)
  expect(answers.get(200) ?? 0).toBeGreaterThan(RUNS)
  expect((answers.get(404) ?? 0) + (answers.get(409) ?? 0) + (answers.get(400) ?? 0)).toBeGreaterThan(
    RUNS / 2,
  )
})
