import { randomUUID } from 'node:crypto'
import { createInProcessBus } from '@patchbay/kernel/bus'
import { createHttp } from '@patchbay/kernel/http'
import { createMetrics } from '@patchbay/kernel/metrics'
import { withFreePort } from '@patchbay/testkit/ports'
import { findBuiltInOfKind } from '../../src/catalog/built-in-panels.ts'
import { registerPageProxy } from '../../src/proxy/page-proxy.routes.ts'
import { type PanelsNode, type PanelsNodeOptions, startPanels } from '../start.ts'
import { openLoopback, type WayOut } from './sites.ts'

export interface ProxyOptions extends Omit<PanelsNodeOptions, 'databaseUrl' | 'folder' | 'outbound'> {
  readonly way?: WayOut
}

export interface TestProxy extends PanelsNode {
  readonly proxyUrl: string
  readonly tabId: string
  /** Every address that was dialled for somebody. */
  readonly dialled: readonly string[]
  /** The address of a page begins with it. */
  openTicket(handle?: string): Promise<string>
  /** A page as a frame asks for it. */
  show(url: string, init?: RequestInit): Promise<Response>
}

/** A node with the workspace `ada/board`, one web view in it, and the proxy on an origin of its own. */
export async function startProxy(options: ProxyOptions = {}): Promise<TestProxy> {
  return await withFreePort(async (port) => {
    await using cleanup = new AsyncDisposableStack()
    const { way = openLoopback(), ...others } = options
    const proxyUrl = `http://localhost:${port}`
    const node = cleanup.use(
      await startPanels({
        ...others,
        outbound: way.outbound,
        settings: { proxyUrl, ...others.settings },
      }),
    )
    const tabId = await furnish(node, 'webview')
    const { db, clock, bus, log, outbound, settings } = node.deps
    const http = createHttp({
      allowedHosts: [new URL(proxyUrl).host],
      allowedOrigins: [],
      info: { title: 'pages', version: '0', description: '' },
      node: 'test-1',
      log,
      metrics: createMetrics('pages'),
      checks: [],
      trustedProxies: [],
      rateLimits: {
        shared: bus.rateLimit,
        local: createInProcessBus({ node: 'test-1', clock }).rateLimit,
      },
    })
    registerPageProxy(http.app, {
      db,
      clock,
      bus,
      outbound,
      settings: { publicUrl: settings.publicUrl, proxyUrl },
    })
    await http.app.listen({ host: '127.0.0.1', port })
    cleanup.defer(() => http.drain(1_000))
    const openTicket = async (handle = 'ada') => {
      const answer = await node
        .as(handle, { kind: 'browser' })
        .send('POST', `/api/workspaces/editor/ada/board/current/tabs/${tabId}/proxy-ticket`)
      if (answer.status !== 200) throw new Error(`no ticket: ${answer.status} ${await answer.text()}`)
      return ((await answer.json()) as { address: string }).address
    }
    const address = await openTicket()
    const owned = cleanup.move()
    return {
      ...node,
      proxyUrl,
      tabId,
      dialled: way.dialled,
      openTicket,
      show: (url, init) => fetch(address + encodeURIComponent(url), init),
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    }
  })
}

/** The workspace with one panel of a kind, and that panel's tab. */
export async function furnish({ db, deps }: PanelsNode, kind: string, repo = 'board'): Promise<string> {
  const tabId = randomUUID()
  const now = deps.clock.now()
  const tab = { id: tabId, panel: findBuiltInOfKind(kind)?.id ?? '', title: kind }
  const root = { type: 'leaf', id: randomUUID(), tabs: [tab], activeTabId: tabId }
  await db
    .insertInto('workspaces')
    .values({
      owner: 'ada',
      repo,
      version: 1,
      layout: JSON.stringify({ root }),
      tab_count: 1,
      created_at: now,
      changed_at: now,
    })
    .execute()
  return tabId
}
