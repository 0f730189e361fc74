import { randomUUID } from 'node:crypto'
import { waitUntil } from '@patchbay/testkit/processes'
import type { Proxy } from './proxy.ts'
import { type Answer, ask, openSocket } from './proxy-client.ts'

interface Said {
  readonly type: string
  readonly state: string
  readonly code?: string
}

/** A client of the gateway behind a proxy, as strangers write them. */
export interface Client extends Disposable {
  readonly heard: readonly Said[]
  readonly closeCode: Promise<number>
  /** Registers a fresh state and returns it. */
  register(): Promise<string>
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const PATIENCE = { deadlineMs: 15_000 }

export async function connect(proxy: Proxy, path = '/ws'): Promise<Client> {
  const socket = await openSocket(proxy, path)
  const heard: Said[] = []
  socket.on('error', () => {})
  socket.on('message', (data: Buffer) => {
    const said: Said = JSON.parse(data.toString())
    heard.push(said)
  })
  const closeCode = new Promise<number>((resolve) => {
    socket.once('close', resolve)
  })
  return {
    heard,
    closeCode,
    async register() {
      const state = randomUUID()
      socket.send(JSON.stringify({ type: 'register', state, provider: 'Example ID' }))
      const holds = () => heard.some((said) => said.state === state && said.type === 'registered')
      await waitUntil('the state is registered', holds, PATIENCE)
      return state
    },
    [Symbol.dispose]: () => socket.terminate(),
  }
}

/** What a browser does: it brings the answer, keeps the cookies, looks at the page and clicks on "Connect". */
export async function confirm(proxy: Proxy, state: string, code: string, method = 'GET'): Promise<string> {
  const query = new URLSearchParams({ code, state }).toString()
  const arrived =
    method === 'GET'
      ? await ask(proxy, `/callback?${query}`)
      : await ask(proxy, '/callback', { method, headers: FORM, body: query })
  return await click(proxy, arrived)
}

async function click(proxy: Proxy, { status, headers, text }: Answer): Promise<string> {
  const { location = '' } = headers
  if (status !== 303 || !location.includes('/confirm/'))
    throw new Error(`the callback was answered ${status} ${location}: ${text}`)
  const cookie = (headers['set-cookie'] ?? []).map((line) => line.split('; ')[0]).join('; ')
  const page = await ask(proxy, location, { headers: { cookie } })
  const nonce = /name="nonce" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const sent = await ask(proxy, location, {
    method: 'POST',
    headers: { ...FORM, cookie, origin: `https://${proxy.host}`, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ decision: 'deliver', nonce }).toString(),
  })
  return sent.headers.location ?? `${sent.status} ${sent.text}`
}

/** The whole way: register, come back with the code, confirm. What the person and the client got. */
export async function runFlow(proxy: Proxy, client: Client, code: string, method?: string) {
  const state = await client.register()
  const told = await confirm(proxy, state, code, method)
  const delivery = () => client.heard.find((said) => said.state === state && said.type !== 'registered')
  await waitUntil('the client hears of it', () => delivery() !== undefined, PATIENCE)
  return { told, type: delivery()?.type, code: delivery()?.code }
}

/** How a flow ends that went well. */
export function delivered(code: string) {
  return { told: '/callback/result/done', type: 'callback', code }
}
