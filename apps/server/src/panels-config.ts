import { DEFAULT_PORTS } from '@patchbay/contracts'
import { type Fault, integer, optional, port, url, withDefault } from '@patchbay/kernel/config'
import { isLoopbackHost } from '@patchbay/kernel/http'
import type { PanelsSettings } from '@patchbay/panels'

export const panelsSettings = {
  panelActionsPerMinute: withDefault(
    {
      variable: 'PATCHBAY_PANEL_ACTIONS_PER_MINUTE',
      meaning:
        'How many calls one API key or application may make on the panels of one workspace in a minute.',
    },
    integer({ min: 1, max: 100_000_000 }),
    600,
  ),
  workspaceSocketsPerAddress: withDefault(
    {
      variable: 'PATCHBAY_WORKSPACE_SOCKETS_PER_ADDRESS',
      meaning: 'How many workspaces may be open at once from one client address.',
    },
    integer({ min: 1, max: 1_000_000 }),
    1_000,
  ),
  proxyUrl: optional(
    {
      variable: 'PATCHBAY_PROXY_URL',
      meaning:
        'The address at which web views show pages that forbid framing: of this server, under another host name than the public URL, or on this machine another port. Unset: there is no proxy.',
    },
    url(['http', 'https']),
  ),
  proxyPort: withDefault(
    {
      variable: 'PATCHBAY_PROXY_PORT',
      meaning: 'The port that the server listens on for PATCHBAY_PROXY_URL.',
    },
    port,
    DEFAULT_PORTS.proxy,
  ),
}

export interface PanelsConfig {
  readonly panelActionsPerMinute: number
  readonly proxyUrl: string | undefined
}

export function panelsSettingsOf(
  { panelActionsPerMinute, proxyUrl }: PanelsConfig,
  publicUrl: string,
): PanelsSettings {
  return { publicUrl, proxyUrl, actionsPerMinute: panelActionsPerMinute }
}

export interface ProxyConfig {
  readonly publicUrl: string | undefined
  readonly port: number
  readonly proxyUrl: string | undefined
  readonly proxyPort: number
}

/** On the origin of the workspace a page from the web would be a page of ours; over plain HTTP it would not be shown. */
export function proxyFaults({ publicUrl, proxyUrl, proxyPort, ...server }: ProxyConfig): Fault[] {
  if (proxyUrl === undefined) return []
  const proxy = new URL(proxyUrl)
  const workspace = new URL(publicUrl ?? `http://localhost:${server.port}`)
  const faults: Fault[] = []
  if (proxy.pathname !== '/' || proxy.search !== '' || proxy.hash !== '')
    faults.push({ variable: 'PATCHBAY_PROXY_URL', wrong: 'must end after the host name and port' })
  if (proxy.origin === workspace.origin)
    faults.push({ variable: 'PATCHBAY_PROXY_URL', wrong: 'must not be the origin of PATCHBAY_PUBLIC_URL' })
  if (proxy.protocol === 'http:' && !isLoopbackHost(proxy.hostname))
    faults.push({
      variable: 'PATCHBAY_PROXY_URL',
      wrong: 'must begin with https:// unless it is on this machine',
    })
  if (proxyPort !== 0 && proxyPort === server.port)
    faults.push({ variable: 'PATCHBAY_PROXY_PORT', wrong: 'is the port of PATCHBAY_PORT' })
  return faults
}
