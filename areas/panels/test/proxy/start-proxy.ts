import { randomUUID } from 'node:crypto'
import { createHttp } from '@patchbay/kernel/http'
import { createMetrics } from '@patchbay/kernel/metrics'
import { withFreePort } from '@patchbay/testkit/ports'
import { findBuiltInOfKind } from '../../src/catalog/built-in-panels.ts'
import { registerPageProxy } from '../../src/proxy/page-proxy.routes.ts'
import { createPool } from '../pool.ts'
import {
  countRequests,
  keepUntilExit,
  type PanelsNode,
  type PanelsNodeOptions,
  startPanels,
} from '../start.ts'
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
  openTicket(options?: { readonly handle?: string; readonly url?: string }): Promise<string>
  /** A page as a frame asks for it after the person went there. */
  show(url: string, init?: RequestInit): Promise<Response>
}

type ProxyNode = Omit<TestProxy, 'tabId' | 'openTicket' | 'show'>

/** A node with the workspace `ada/board`, one web view in it, and the proxy on an origin of its own. */
export async function startProxy(options: ProxyOptions = {}): Promise<TestProxy> {
  await using cleanup = new AsyncDisposableStack()
  const proxy = await openWebView(cleanup.use(await startProxyNode(options)))
  const owned = cleanup.move()
  return { ...proxy, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const takeNode = createPool(() => keepUntilExit(startProxyNode()))

/** The same on a node that an earlier test may have used. */
export async function takeProxy(): Promise<TestProxy> {
  return await openWebView(await takeNode())
}

async function startProxyNode({ way = openLoopback(), ...others }: ProxyOptions = {}): Promise<ProxyNode> {
  return await withFreePort(async (port) => {
    await using cleanup = new AsyncDisposableStack()
    const proxyUrl = `http://localhost:${port}`
    const node = cleanup.use(
      await startPanels({
        ...others,
        outbound: way.outbound,
        settings: { proxyUrl, ...others.settings },
      }),
    )
    const { access, db, clock, bus, log, outbound, settings } = node.deps
    const http = createHttp({
      allowedHosts: [new URL(proxyUrl).host],
      allowedOrigins: [],
      info: { title: 'pages', version: '0', description: '' },
      node: 'test-1',
      log,
      metrics: createMetrics('pages'),
      checks: [],
      trustedProxies: [],
      // Both of the node, which takes them back when the next test begins.
      rateLimits: { shared: bus.rateLimit, local: bus.rateLimit },
    })
    registerPageProxy(http.app, {
      db,
      clock,
      bus,
      outbound,
      access,
      settings: { publicUrl: settings.publicUrl, proxyUrl },
    })
    await http.app.listen({ host: '127.0.0.1', port })
    http.app.server.unref()
    cleanup.defer(() => http.drain(1_000))
    const openRequests = countRequests(http.app)
    const owned = cleanup.move()
    return {
      ...node,
      proxyUrl,
      dialled: way.dialled,
      isIdle: () => openRequests() === 0 && node.isIdle(),
      async empty() {
        await node.empty()
        way.dialled.length = 0
      },
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    }
  })
}

async function openWebView(node: ProxyNode): Promise<TestProxy> {
  const tabId = await furnish(node, 'webview')
  const openTicket: TestProxy['openTicket'] = async ({ handle = 'ada', url } = {}) => {
    const answer = await node
      .as(handle, { kind: 'browser' })
      .send(
        'POST',
        `/api/workspaces/editor/ada/board/current/tabs/${tabId}/proxy-ticket`,
        url === undefined ? undefined : { url },
      )
    if (answer.status !== 200) throw new Error(`no ticket: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { address: string }).address
  }
  // Sites of tests are on this machine, which is inside: the person went there, to each of them.
  const addresses = new Map<string, Promise<string>>()
  const addressFor = (url: string) => {
    const host = URL.parse(url)?.host ?? ''
    const site = /\.localhost:\d+$/.test(host) ? `http://${host}/` : undefined
    const known = addresses.get(site ?? '') ?? openTicket(site === undefined ? {} : { url: site })
    addresses.set(site ?? '', known)
    return known
  }
  return {
    ...node,
    tabId,
    openTicket,
    show: async (url, init) => await fetch((await addressFor(url)) + encodeURIComponent(url), init),
  }
}

/** The workspace with one panel of a kind, and that panel's tab. */
export async function furnish(
  { db, deps }: Pick<PanelsNode, 'db' | 'deps'>,
  kind: string,
  repo = 'board',
): Promise<string> {
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
