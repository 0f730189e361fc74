import { DEFAULT_PORTS, localAddress } from '@patchbay/contracts/limits'

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

const SECURE = new Set(['https:', 'wss:'])
const PLAIN = new Set(['http:', 'ws:'])

export interface GatewayAddresses {
  /** What the provider must have on its list. */
  readonly redirectUri: string
  readonly socketUrl: string
}

/** The contract's five fields do not name the gateway: the caller may, else the operator, else it is on this machine. */
export function chooseGateway(named: string | undefined, environment: string | undefined): string {
  return named ?? (environment || localAddress(DEFAULT_PORTS.gateway))
}

/** `{gateway_url}/callback` and `{gateway_ws_url}`. A path before them is kept: the gateway may stand below one. */
export function gatewayAddresses(gatewayUrl: string, gatewayWsUrl?: string): GatewayAddresses {
  const base = plainAddress('gatewayUrl', gatewayUrl, ['https:', 'http:'])
  const path = base.pathname.replace(/\/+$/, '')
  const socket = new URL(base)
  socket.protocol = base.protocol === 'https:' ? 'wss:' : 'ws:'
  socket.pathname = `${path}/ws`
  return {
    redirectUri: `${base.origin}${path}/callback`,
    socketUrl:
      gatewayWsUrl === undefined
        ? socket.href
        : plainAddress('gatewayWsUrl', gatewayWsUrl, ['wss:', 'ws:']).href,
  }
}

function plainAddress(option: string, value: string, schemes: readonly string[]): URL {
  const url = secureAddress(option, value, schemes)
  if (url.search !== '' || url.hash !== '')
    throw new TypeError(`${option} must have no query and no fragment`)
  return url
}

/** Encrypted, or never leaving this machine. The value is not repeated: people paste addresses with secrets in them. */
export function secureAddress(option: string, value: string, schemes: readonly string[]): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !schemes.includes(url.protocol)) {
    throw new TypeError(`${option} must be an address that begins with ${schemes.join('// or ')}//`)
  }
  if (url.username !== '' || url.password !== '') throw new TypeError(`${option} must hold no credentials`)
  if (!SECURE.has(url.protocol) && !(PLAIN.has(url.protocol) && LOOPBACK.test(url.hostname))) {
    throw new TypeError(`${option} must be encrypted (${schemes[0]}//) unless it is on this machine`)
  }
  return url
}
