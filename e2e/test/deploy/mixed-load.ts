import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type BrowserMessage,
  type CurrentWorkspace,
  WORKSPACE_SOCKET_PATH,
  type WorkspaceMessage,
} from '@patchbay/contracts/panels'
import type { PackagePage } from '@patchbay/contracts/registry'
import { depth } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import type { WebSocket } from 'ws'
import { createSecret, pageHeaders, sha256 } from '../installation/accounts.ts'
import { packArchive } from '../packages-pages/archives.ts'
import type { Proxy } from './proxy.ts'
import { type Answer, ask, openSocket } from './proxy-client.ts'

export interface LoadedInstallation {
  readonly proxy: Proxy
  /** Of a person, as their browser has it. */
  readonly session: string
  readonly handle: string
}

const FEED = '/registry/feeds/kicad/repository.json'
const REPO = 'board'
const PAUSE_MS = depth({ common: 100, deep: 15 })
/** They cost a hundred times what the others do. */
const PUBLISH_PAUSE_MS = 10 * PAUSE_MS
const PATIENCE = { deadlineMs: 180_000 }
const SOCKETS = 3
const KINDS = ['logins', 'publications', 'titles', 'addresses', 'texts', 'reads', 'feeds', 'fresh feeds']

/** What was acknowledged, to be looked for afterwards. */
interface Acknowledged {
  readonly sessions: string[]
  readonly versions: string[]
  /** The last numbers. */
  title: number
  address: number
  text: number
}

/**
 * People and programs at once, through a proxy: logins, keys that read, packages that are published, a layout, what panels
 * show, feeds, and pages whose sockets come back. None tries again what has failed.
 */
export async function startMixedLoad({ proxy, session, handle }: LoadedInstallation) {
  const page = pageHeaders(session, `https://${proxy.host}`)
  const workspace = `/api/workspaces/editor/${handle}/${REPO}`
  const identifier = `com.example.${handle}`
  const failed: string[] = []
  const counts: Record<string, number> = {}
  const acknowledged: Acknowledged = { sessions: [], versions: [], title: 0, address: 0, text: 0 }
  const over = new AbortController()
  const open = new Set<WebSocket>()

  /** Asks for a JSON answer, and throws unless it has this status. */
  const expecting = async (
    status: number,
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ) => {
    const text = body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body)
    const type = text === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await ask(proxy, path, {
      method,
      headers: { ...type, ...headers },
      ...(text === undefined ? {} : { body: text }),
    })
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer
  }
  const read = ({ text }: Answer): unknown => JSON.parse(text)

  const { 'content-type': _type, ...bare } = page
  await expecting(201, 'PUT', workspace, bare)
  const scopes = [`panels:${handle}/${REPO}`, `packages:${handle}/*`]
  const made = await expecting(201, 'POST', '/auth/keys', page, { name: 'load', scopes })
  const key = { 'x-api-key': (read(made) as { key: string }).key }
  const add = async (panelType: string) =>
    read(await expecting(201, 'POST', `${workspace}/current/tabs`, key, { panelType })) as {
      tabId: string
      panelId: string
    }
  const editor = await add('code-editor')
  const view = await add('webview')

  /** One after the other until the load is over; each that fails is written down. */
  const repeat = async (name: string, act: (number: number) => Promise<void>, pauseMs = PAUSE_MS) => {
    for (let number = 1; !over.signal.aborted; number += 1) {
      await act(number).catch((error: unknown) => failed.push(`${name} ${number}: ${String(error)}`))
      counts[name] = number
      await sleep(pauseMs)
    }
  }

  const logIn = async () => {
    const verifier = createSecret()
    const wish = { label: 'load', code_challenge: sha256(verifier).toString('base64url') }
    const intent = read(await expecting(201, 'POST', '/auth/intents', {}, wish)) as { token: string }
    const path = `/auth/intents/${intent.token}`
    await expecting(200, 'PATCH', path, page, { decision: 'approve' })
    const status = await expecting(200, 'GET', `${path}/status`, { 'intent-verifier': verifier })
    const { session_token: token } = read(status) as { session_token: string }
    acknowledged.sessions.push(token)
    await expecting(200, 'GET', '/auth/session', { authorization: `Bearer ${token}` })
  }
  const publish = async (number: number) => {
    const version = `1.0.${number}`
    const path = `/registry/owners/${handle}/packages`
    const headers = { ...key, 'content-type': 'application/zip' }
    await expecting(201, 'POST', path, headers, await packArchive({ identifier, version }))
    acknowledged.versions.push(version)
  }
  const rename = async (number: number) => {
    const path = `${workspace}/current/tabs/${editor.tabId}`
    await expecting(200, 'PATCH', path, key, { displayName: `Title ${number}` })
    acknowledged.title = number
  }
  const navigate = async (number: number) => {
    const url = `https://example.com/${number}`
    const path = `/api/panels/webview/${handle}/${REPO}`
    await expecting(204, 'PATCH', path, key, { panelId: view.panelId, action: 'navigate', url })
    acknowledged.address = number
  }
  const look = async () => read(await expecting(200, 'GET', `${workspace}/current`, key)) as CurrentWorkspace

  let texts = 0
  /** A page: open until its node sends it away, and then open again elsewhere. The first one also writes. */
  const visit = async (isWriter: boolean) => {
    const socket = await openSocket(proxy, WORKSPACE_SOCKET_PATH, bare)
    open.add(socket)
    if (over.signal.aborted) socket.terminate()
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => resolve())
    }).finally(() => open.delete(socket))
    // The end of the connection follows, which is what counts.
    socket.on('error', () => {})
    const say = (message: BrowserMessage) => socket.send(JSON.stringify(message))
    const write = () => {
      texts += 1
      say({ type: 'state', id: String(texts), tabId: editor.tabId, patch: { text: String(texts) } })
    }
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString('utf8')) as WorkspaceMessage
      if (message.type === 'opened') counts['sockets'] = (counts['sockets'] ?? 0) + 1
      if (message.type === 'opened' && isWriter) write()
      if (message.type === 'refused') failed.push(`socket: ${message.code} ${message.message}`)
      if (message.type === 'command') {
        say({ type: 'taken', id: message.id })
        say({ type: 'done', id: message.id })
      }
      if (message.type !== 'states' || message.ids.length === 0) return
      acknowledged.text = Number(message.ids.at(-1))
      counts['texts'] = acknowledged.text
      setTimeout(() => {
        if (socket.readyState === socket.OPEN) write()
      }, PAUSE_MS)
    })
    say({
      type: 'open',
      owner: handle,
      repo: REPO,
      browserId: randomUUID(),
      isVisible: true,
      isFocused: isWriter,
      isSharing: false,
    })
    await closed
  }

  const hasFeed = async () => (await ask(proxy, FEED)).status === 200
  await waitUntil('a new installation has its feed', hasFeed, PATIENCE)
  const running = Promise.all([
    repeat('logins', logIn),
    repeat('publications', publish, PUBLISH_PAUSE_MS),
    repeat('titles', rename),
    repeat('addresses', navigate),
    repeat('reads', async () => void (await look())),
    repeat('feeds', async () => void (await expecting(200, 'GET', FEED, {}))),
    repeat(
      'fresh feeds',
      async () => void (await expecting(200, 'GET', FEED, { 'cache-control': 'no-cache' })),
    ),
    ...Array.from({ length: SOCKETS }, (_, index) => repeat('visits', () => visit(index === 0))),
  ])
  const end = async () => {
    over.abort()
    for (const socket of open) socket.terminate()
    await running
  }
  return {
    /** Waits until each kind was done some times more. */
    async goesOn(times: number) {
      const before = { ...counts }
      const isMore = () => KINDS.every((kind) => (counts[kind] ?? 0) >= (before[kind] ?? 0) + times)
      await waitUntil('the load goes on', isMore, PATIENCE).catch((cause: unknown) => {
        throw new Error(JSON.stringify({ before, counts, failed }), { cause })
      })
    },
    /** Ends it, and answers what failed and which of the acknowledged writes are not there. */
    async stop() {
      await end()
      const lost: string[] = []
      for (const token of acknowledged.sessions)
        await expecting(200, 'GET', '/auth/session', { authorization: `Bearer ${token}` }).catch(() =>
          lost.push('a session'),
        )
      const found = await expecting(200, 'GET', `/registry/packages/${identifier}`, {})
      const { versions } = read(found) as PackagePage
      for (const version of acknowledged.versions)
        if (!versions.some((each) => each.version === version)) lost.push(`version ${version}`)
      const { tabs } = await look()
      const shown = tabs.find(({ tabId }) => tabId === view.tabId)?.state as { url?: string } | undefined
      const edited = tabs.find(({ tabId }) => tabId === editor.tabId)
      const { text } = (edited?.state ?? {}) as { text?: string }
      if (shown?.url !== `https://example.com/${acknowledged.address}`) lost.push('an address')
      if (edited?.displayName !== `Title ${acknowledged.title}`) lost.push('a title')
      // One that was sent and not acknowledged any more may be there.
      if (!(Number(text) >= acknowledged.text)) lost.push('a text')
      return { failed, lost, pages: counts['sockets'] ?? 0 }
    },
    async [Symbol.asyncDispose]() {
      await end()
    },
  }
}
