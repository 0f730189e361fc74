import type { Layout, WorkspaceRef } from '@patchbay/contracts/panels'
import type { Bus } from '@patchbay/kernel/bus'
import type { Clock } from '@patchbay/kernel/clock'
import { createHttp } from '@patchbay/kernel/http'
import { createMetrics } from '@patchbay/kernel/metrics'
import { findBuiltInOfKind } from '../../src/catalog/built-in-panels.ts'
import type { PanelsSettings } from '../../src/deps.ts'
import { newId } from '../../src/new-id.ts'
import { createQueueRunner } from '../../src/sandbox/queue-runner.store.ts'
import { registerSandbox } from '../../src/sandbox/sandbox.routes.ts'
import { registerScreenshots } from '../../src/screenshots/screenshot.routes.ts'
import { registerWebview } from '../../src/webview/webview.routes.ts'
import { changeLayout } from '../../src/workspaces/layout-change.store.ts'
import { emptyWorkspace } from '../../src/workspaces/template.ts'
import { makeWorkspace } from '../../src/workspaces/workspace.store.ts'
import type { TestCredential } from '../access.ts'
import { createCaller, type TestCaller } from '../caller.ts'
import { createPool, type Pooled } from '../pool.ts'
import { countRequests, keepUntilExit, type PanelsNode, startPanels } from '../start.ts'
import { createStandIn, type StandIn } from './stand-in.ts'

export const AT: WorkspaceRef = { owner: 'ada', repo: 'board' }
const NO_RULES = { isSingleton: () => false }

interface CallsOptions {
  readonly clock?: Clock
  readonly bus?: Bus
  readonly settings?: Partial<PanelsSettings>
}

/** The calls of one node, with a browser that the test speaks for. */
export interface Calls extends Pooled {
  readonly node: PanelsNode
  readonly control: StandIn
  readonly url: string
  as(handle: string, credential?: TestCredential): TestCaller
}

export async function startCalls(options: CallsOptions = {}): Promise<Calls> {
  await using cleanup = new AsyncDisposableStack()
  const node = cleanup.use(await startPanels(options))
  const calls = await addCalls(node)
  cleanup.use(calls)
  const owned = cleanup.move()
  return { ...calls, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** The usual ones, which an earlier test may have used. */
export const takeCalls = createPool(async () => {
  const calls = await startCalls()
  await keepUntilExit(Promise.resolve(calls.node))
  return calls
})

async function addCalls(node: PanelsNode): Promise<Calls> {
  const runner = createQueueRunner(node.deps)
  const control = createStandIn(() => runner)
  const http = createHttp({
    info: { title: 'test', version: '0', description: '' },
    node: 'calls',
    log: node.deps.log,
    metrics: createMetrics('server'),
    checks: [],
    allowedHosts: ['127.0.0.1'],
    allowedOrigins: [],
    trustedProxies: [],
    // Both of the node, which takes them back when the next test begins.
    rateLimits: { shared: node.deps.bus.rateLimit, local: node.deps.bus.rateLimit },
  })
  registerWebview(http.app, node.deps, control)
  registerSandbox(http.app, node.deps, control)
  registerScreenshots(http.app, node.deps, control)
  const url = await http.app.listen({ host: '127.0.0.1', port: 0 })
  http.app.server.unref()
  const openRequests = countRequests(http.app)
  return {
    node,
    control,
    url,
    as: (handle, credential) => createCaller(url, handle, credential),
    isIdle: () => openRequests() === 0 && node.isIdle(),
    async empty() {
      await node.empty()
      control.reset()
    },
    [Symbol.asyncDispose]: () => http.drain(1_000),
  }
}

export interface PlacedTab {
  readonly tabId: string
  readonly panelId: string
}

/** A workspace with tabs of these kinds in one leaf, the first one active. */
export async function makeTabs(
  { db, deps }: PanelsNode,
  kinds: readonly string[],
  at: WorkspaceRef = AT,
): Promise<readonly [PlacedTab, ...PlacedTab[]]> {
  const panelId = newId(deps.createSecret)
  await makeWorkspace(db, at, emptyWorkspace(panelId), deps.clock.now())
  const placed: PlacedTab[] = []
  for (const kind of kinds) {
    const tabId = newId(deps.createSecret)
    const panel = findBuiltInOfKind(kind)?.id ?? `bob/${newId(deps.createSecret)}`
    const outcome = await changeLayout(
      db,
      at,
      [
        {
          type: 'addTab',
          tab: { id: tabId, panel, title: `The ${kind}` },
          at: { leafId: panelId },
          activate: placed.length === 0,
        },
      ],
      { rules: NO_RULES, now: deps.clock.now() },
    )
    if (outcome.outcome !== 'changed') throw new Error(JSON.stringify(outcome))
    placed.push({ tabId, panelId })
  }
  const [first, ...others] = placed
  if (first === undefined) throw new Error('a workspace of a test has a tab')
  return [first, ...others]
}

/** In a new leaf to the right. */
export async function splitOff({ db, deps }: PanelsNode, { tabId }: PlacedTab): Promise<PlacedTab> {
  const panelId = newId(deps.createSecret)
  const to = { edge: 'right', newLeafId: panelId, newSplitId: newId(deps.createSecret) } as const
  const outcome = await changeLayout(db, AT, [{ type: 'moveTab', tabId, to }], {
    rules: NO_RULES,
    now: deps.clock.now(),
  })
  if (outcome.outcome !== 'changed') throw new Error(JSON.stringify(outcome))
  return { tabId, panelId }
}

export async function removeTab({ db, deps }: PanelsNode, tabId: string): Promise<Layout> {
  const outcome = await changeLayout(db, AT, [{ type: 'removeTab', tabId }], {
    rules: NO_RULES,
    now: deps.clock.now(),
  })
  if (outcome.outcome !== 'changed') throw new Error(JSON.stringify(outcome))
  return outcome.layout
}

export async function codeOf(answer: Response): Promise<readonly [number, string]> {
  const { code } = (await answer.json()) as { code: string }
  return [answer.status, code]
}
