import { type AgentOptions, globalAgent } from 'node:http'

/** Ports above the system's that `fetch` refuses: an address in a list must not talk to what listens there. */
const REFUSED_PORTS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10_080,
])
const FIRST_FREE_PORT = 1024

/** Whether a connection of our own reaches what `fetch` would reach. Where that is not sure, `fetch` decides. */
export function mayConnectItself(url: URL): boolean {
  return isUsualPort(url.port) && !isRedirected()
}

function isUsualPort(text: string): boolean {
  const port = Number(text)
  return text === '' || (port >= FIRST_FREE_PORT && !REFUSED_PORTS.has(port))
}

/** Node was told to use a proxy, or somebody gave `fetch` another way to connect. */
function isRedirected(): boolean {
  const { proxyEnv } = (globalAgent as { readonly options?: AgentOptions }).options ?? {}
  const dispatcher: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'))
  const isOther = dispatcher instanceof Object && dispatcher.constructor.name !== 'Agent'
  return proxyEnv !== undefined || isOther
}
