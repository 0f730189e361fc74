import { DEFAULT_PORTS } from '@patchbay/contracts/limits'
import {
  type Fault,
  integer,
  type Kind,
  list,
  optional,
  port,
  url,
  withDefault,
} from '@patchbay/kernel/config'
import { isLoopbackHost } from '@patchbay/kernel/http'
import type { PanelsSettings } from '@patchbay/panels'

const NO_PROXY = 'off'
const webAddress = url(['http', 'https'])
const proxyAddress: Kind<string> = {
  accepts: `${webAddress.accepts} or \`${NO_PROXY}\``,
  parse: (value) => (value === NO_PROXY ? value : webAddress.parse(value)),
}

/** What a Content-Security-Policy takes as a source, and no more: no list of ports, and every host below a name but not every host. */
const MEDIA_ORIGIN = /^https?:\/\/(?:\*\.)?(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*)(?::(?:\d{1,5}|\*))?$/
const mediaOrigin: Kind<string> = {
  accepts: 'origin such as `https://cam.example:8889`, `https://*.example` or `http://192.168.1.20:*`',
  parse: (value) => {
    const origin = value.toLowerCase()
    if (!MEDIA_ORIGIN.test(origin)) throw new Error(`"${value}" is not an origin of http or https`)
    return origin
  },
}
const NO_MEDIA = 'off'
const mediaOriginList: Kind<readonly string[]> = {
  accepts: `${list(mediaOrigin).accepts}; or \`${NO_MEDIA}\``,
  parse: (value) => (value === NO_MEDIA ? [] : list(mediaOrigin).parse(value)),
}
/** Cameras and media servers of the same machine, on whatever port. */
const LOCAL_MEDIA_ORIGINS = ['http://localhost:*', 'http://127.0.0.1:*']

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
  fileRequestsPerMinute: withDefault(
    {
      variable: 'PATCHBAY_FILE_REQUESTS_PER_MINUTE',
      meaning:
        'How many requests one API key or application may make for the files of one workspace in a minute.',
    },
    integer({ min: 1, max: 100_000_000 }),
    20_000,
  ),
  filesGibPerOwner: withDefault(
    {
      variable: 'PATCHBAY_FILES_GIB_PER_OWNER',
      meaning: 'How many GiB the files of all workspaces of one owner may take, with their history.',
    },
    integer({ min: 1, max: 1_000_000 }),
    20,
  ),
  actionsRetentionDays: withDefault(
    {
      variable: 'PATCHBAY_ACTIONS_RETENTION_DAYS',
      meaning:
        'For how many days a workspace shows who acted on it from outside, and what they did. An access that a person ended stays ended for as long as the credential exists.',
    },
    integer({ min: 1, max: 36_500 }),
    90,
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
        'The address at which web views show pages that forbid framing: of this server, under another host name than the public URL, or on this machine another port. `off`: there is no proxy. Unset: on loopback while PATCHBAY_HOST and the public URL are on this machine, else none.',
    },
    proxyAddress,
  ),
  proxyPort: withDefault(
    {
      variable: 'PATCHBAY_PROXY_PORT',
      meaning:
        'The port that the server listens on for PATCHBAY_PROXY_URL. While that is unset and the port is taken, any free one.',
    },
    port,
    DEFAULT_PORTS.proxy,
  ),
  mediaOrigins: optional(
    {
      variable: 'PATCHBAY_MEDIA_ORIGINS',
      meaning:
        'Where the media panels of workspaces may play from: cameras and media servers, to which the browsers of all who look then connect. A `*` stands for every port, or for every host below a name. `off`: nowhere. Unset: this machine while PATCHBAY_HOST and the public URL are on it, else nowhere.',
    },
    mediaOriginList,
  ),
}

export interface PanelsConfig {
  readonly panelActionsPerMinute: number
  readonly fileRequestsPerMinute: number
  readonly actionsRetentionDays: number
}

export function panelsSettingsOf(
  { panelActionsPerMinute, fileRequestsPerMinute, actionsRetentionDays }: PanelsConfig,
  publicUrl: string,
  proxyUrl: string | undefined,
): PanelsSettings {
  return {
    publicUrl,
    proxyUrl,
    actionsPerMinute: panelActionsPerMinute,
    fileRequestsPerMinute,
    actionsKeptDays: actionsRetentionDays,
  }
}

/** Whether nobody but the people of this machine uses the installation. */
function isOnThisMachine(host: string, publicUrl: string): boolean {
  return isLoopbackHost(host) && isLoopbackHost(new URL(publicUrl).hostname)
}

/** Elsewhere, loopback would be each person's own machine. */
export function mediaOriginsOf(
  { host, mediaOrigins }: { readonly host: string; readonly mediaOrigins: readonly string[] | undefined },
  publicUrl: string,
): readonly string[] {
  return mediaOrigins ?? (isOnThisMachine(host, publicUrl) ? LOCAL_MEDIA_ORIGINS : [])
}

/** Where pages of the web are to be served; absent where there is no proxy. */
export interface ProxyPlace {
  /** What is bound. */
  readonly host: string
  readonly port: number
  /** The address as the operator gave it. Without it the port may be any, and the address follows from it. */
  readonly url: string | undefined
}

export function proxyPlaceOf(
  {
    host,
    port: ownPort,
    proxyUrl,
    proxyPort,
  }: Pick<ProxyConfig, 'port' | 'proxyUrl' | 'proxyPort'> & { readonly host: string },
  publicUrl: string,
): ProxyPlace | undefined {
  if (proxyUrl === NO_PROXY) return undefined
  if (proxyUrl !== undefined) return { host, port: proxyPort, url: proxyUrl }
  // From another machine nobody reaches an address on loopback: such an installation needs one that an operator gives.
  const isLocal = isOnThisMachine(host, publicUrl)
  // The server's own port is not to be taken from it by what nobody asked for.
  return isLocal
    ? { host: '127.0.0.1', port: proxyPort === ownPort ? 0 : proxyPort, url: undefined }
    : undefined
}

/**
 * The address of a proxy that nobody configured. Cookies know no ports: under the name of the workspace the browser would
 * send the person's session along with every page.
 */
export function localProxyUrl(proxyPort: number, publicUrl: string): string {
  return `http://${new URL(publicUrl).hostname === '127.0.0.1' ? 'localhost' : '127.0.0.1'}:${proxyPort}`
}

export interface ProxyConfig {
  readonly publicUrl: string | undefined
  readonly port: number
  readonly proxyUrl: string | undefined
  readonly proxyPort: number
}

/** On the origin of the workspace a page from the web would be a page of ours; over plain HTTP it would not be shown. */
export function proxyFaults({ publicUrl, proxyUrl, proxyPort, ...server }: ProxyConfig): Fault[] {
  if (proxyUrl === undefined || proxyUrl === NO_PROXY) return []
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
