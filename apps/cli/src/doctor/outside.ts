import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect, type TLSSocket } from 'node:tls'
import { WORKSPACE_SOCKET_PATH } from '@patchbay/contracts/panels'
import type { CheckResult, InstallationCheck } from '@patchbay/kernel/lifecycle'
import { escapeHidden } from '@patchbay/primitives/text'

const PATIENCE_MS = 10_000
const DAY_MS = 86_400_000
const WARN_DAYS = 14
const HALF_A_YEAR_SECONDS = 15_768_000
const MOST_SKEW_MS = 30_000

interface Outside {
  readonly url: URL
  readonly now: () => number
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>
}

type Look = (outside: Outside) => Promise<CheckResult | undefined>

/** What somebody who knows nothing but the address can see of an installation. */
const LOOKS: readonly (readonly [name: string, look: Look, fix: string])[] = [
  [
    'Server',
    lookAtServer,
    'Start the server, or see that the address and the proxy in front of it are right.',
  ],
  ['Readiness', lookAtReadiness, 'Start the server, or see that the proxy in front of it passes /ready.'],
  ['Pages', lookAtPages, 'See that the proxy in front passes every path to the server.'],
  ['Sockets', lookAtSockets, 'Let the proxy pass WebSockets: deploy/nginx and deploy/caddy show how.'],
  ['Metrics', lookAtMetrics, 'See that the proxy in front answers at all.'],
  ['Encryption', lookAtEncryption, 'Renew the certificate of the proxy in front.'],
  ['HSTS', lookAtHsts, 'Start the server, or see that the address is right.'],
  ['Plain HTTP', lookAtPlainHttp, 'Let the proxy in front listen on port 80, and send everybody to https.'],
  ['Clock', lookAtClock, 'Start the server, or see that the address is right.'],
]

export function outsideChecks(address: string, now: () => number): InstallationCheck[] {
  const url = new URL(address)
  const outside: Outside = {
    url,
    now,
    ask: (path, init = {}) =>
      fetch(new URL(path, url), { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS), ...init }),
  }
  return LOOKS.map(([name, look, fix]) => ({ name, fix, look: () => look(outside) }))
}

const isLoopback = ({ hostname }: URL) =>
  ['localhost', '127.0.0.1', '[::1]'].includes(hostname) || hostname.endsWith('.localhost')

async function lookAtServer({ ask, now }: Outside): Promise<CheckResult> {
  const begun = now()
  const answer = await ask('/api/about')
  const about = (await answer.json().catch(() => ({}))) as { name?: unknown; version?: unknown }
  if (!answer.ok || about.name !== 'patchbay')
    return {
      state: 'fault',
      says: `something answers ${answer.status} there, and it is not Patchbay`,
      fix: 'See that the address is right, and that the proxy in front passes every path to the server.',
    }
  return { state: 'ok', says: `Patchbay ${escapeHidden(String(about.version))}, in ${now() - begun} ms` }
}

async function lookAtReadiness({ ask }: Outside): Promise<CheckResult> {
  const answer = await ask('/ready')
  if (answer.ok) return { state: 'ok', says: 'every engine answers' }
  const { checks = {}, draining } = (await answer.json().catch(() => ({}))) as {
    checks?: Record<string, unknown>
    draining?: boolean
  }
  const failed = Object.keys(checks).filter((name) => checks[name] !== 'ok')
  return {
    state: 'fault',
    says:
      draining === true
        ? 'the node is stopping'
        : `not ready: ${escapeHidden(failed.join(', ')) || answer.status}`,
    fix: 'Look at the log of the server. Run in its environment, this command looks at the engines themselves.',
  }
}

async function lookAtPages({ ask }: Outside): Promise<CheckResult> {
  const answer = await ask('/', { headers: { accept: 'text/html' } })
  const hasPolicy = answer.headers.get('content-security-policy')?.includes("default-src 'self'") === true
  await answer.body?.cancel()
  if (answer.status === 503)
    return {
      state: 'fault',
      says: 'the web app is not built',
      fix: 'Install @patchbay/server, which has it, or run "pnpm build" in the checkout.',
    }
  if (answer.ok && hasPolicy) return { state: 'ok', says: 'served, under their policy' }
  return {
    state: 'fault',
    says: answer.ok
      ? 'they come without their Content-Security-Policy'
      : `they are answered with ${answer.status}`,
    fix: 'See that the proxy in front passes every path, and keeps the headers of the server.',
  }
}

/** Without a credential the server refuses the socket itself; a proxy that drops the upgrade makes it a page. */
async function lookAtSockets({ url }: Outside): Promise<CheckResult> {
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(
    new URL(WORKSPACE_SOCKET_PATH, url),
    {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'cGF0Y2hiYXkgZG9jdG9yIQ==',
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
    },
  )
  request.end()
  const status = await new Promise<number>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      response.destroy()
      resolve(response.statusCode ?? 0)
    })
    request.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve(response.statusCode ?? 0)
    })
  })
  if (status === 101 || status === 401 || status === 403)
    return { state: 'ok', says: 'they reach the server' }
  return {
    state: 'fault',
    says: `the server does not see that one is asked for (${status}): workspaces cannot be opened`,
    fix: 'Let the proxy pass Upgrade and Connection: deploy/nginx and deploy/caddy show how.',
  }
}

async function lookAtMetrics({ ask, url }: Outside): Promise<CheckResult> {
  const { ok, status, body } = await ask('/metrics')
  await body?.cancel()
  if (!ok) return { state: 'ok', says: `refused to strangers (${status})` }
  if (isLoopback(url)) return { state: 'ok', says: 'answered, to this machine' }
  return {
    state: 'fault',
    says: 'whoever asks gets them',
    fix: 'Refuse /metrics in the proxy in front, and set PATCHBAY_TRUSTED_PROXIES to its address.',
  }
}

async function lookAtEncryption({ url, now }: Outside): Promise<CheckResult> {
  if (url.protocol === 'http:')
    return isLoopback(url)
      ? { state: 'ok', says: 'not needed on this machine' }
      : {
          state: 'fault',
          says: 'there is none: anybody on the way reads along',
          fix: 'Put a proxy with TLS in front: deploy/nginx or deploy/caddy.',
        }
  const { hostname, port } = url
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket: TLSSocket = connect({ host, port: Number(port || 443), servername: host })
  try {
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('no TLS answer')))
    await once(socket, 'secureConnect')
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - now()) / DAY_MS)
    const says = `${socket.getProtocol()}, the certificate is valid for ${days} more days`
    if (days >= WARN_DAYS) return { state: 'ok', says }
    return { state: 'warning', says, fix: 'Renew the certificate, and see why nothing renews it by itself.' }
  } finally {
    socket.destroy()
  }
}

async function lookAtHsts({ ask, url }: Outside): Promise<CheckResult | undefined> {
  if (url.protocol !== 'https:') return undefined
  const { headers, body } = await ask('/api/about')
  await body?.cancel()
  const seconds = Number(/max-age=(\d+)/.exec(headers.get('strict-transport-security') ?? '')?.[1] ?? 0)
  if (seconds >= HALF_A_YEAR_SECONDS) return { state: 'ok', says: 'browsers never ask without encryption' }
  return {
    state: 'warning',
    says: 'browsers are not told to keep to https',
    fix: 'Let the proxy send Strict-Transport-Security: max-age=31536000; includeSubDomains.',
  }
}

async function lookAtPlainHttp({ url }: Outside): Promise<CheckResult | undefined> {
  // Where https is not at its own port, nobody knows where plain HTTP would be.
  if (url.protocol !== 'https:' || url.port !== '') return undefined
  const answer = await fetch(`http://${url.host}/`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  await answer.body?.cancel()
  if (answer.headers.get('location')?.startsWith('https://') === true)
    return { state: 'ok', says: 'sent to https' }
  return {
    state: 'warning',
    says: `answered with ${answer.status}, without encryption`,
    fix: 'Let the proxy send everybody on port 80 to https.',
  }
}

async function lookAtClock({ ask, now }: Outside): Promise<CheckResult> {
  const { headers, body } = await ask('/api/about')
  await body?.cancel()
  const ahead = Date.parse(headers.get('date') ?? '') - now()
  if (Number.isNaN(ahead)) return { state: 'ok', says: 'not told' }
  if (Math.abs(ahead) <= MOST_SKEW_MS) return { state: 'ok', says: 'agrees with the one of this machine' }
  return {
    state: 'warning',
    says: `${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'} the one of this machine`,
    fix: 'Let both machines take their time from the network (NTP).',
  }
}
