import { CONNECT_ORIGIN } from './states.ts'

/** Between the workspace and the code: a document of ours whose policy decides where the frame inside it may go. */
export const SANDBOX_HOST_PATH = '/panels/sandbox-host'
/** Where code runs. */
export const SANDBOX_FRAME_PATH = '/panels/sandbox-frame'
const MOST_ORIGINS = 10

const HOST_STYLE = 'html,body,iframe{border:0;height:100%;margin:0;width:100%}iframe{display:block}'
const HOST_STYLE_HASH = 'sha256-fbOYq8L3/5gH+XMkAf12gznNz9dFnU84TnHUOCoSJak='

/**
 * Takes away what no policy governs, then waits for the workspace to hand over what runs code, with a port to answer on.
 * A script with the same text in a frame that code makes takes the same things away there.
 *
 * Some browsers find a frame by its name, for whoever asks: code may not look for others with `open`, and hears no message
 * of another window, whose sender it could answer. A document that is written anew forgets its listeners, so they are put back.
 */
const BOOTSTRAP = `'use strict'
{
  document.currentScript.remove()
  const { origin } = new URL(location.href)
  for (const name of Object.getOwnPropertyNames(self)) if (/RTC|^(?:event|navigation|open)$/.test(name)) delete self[name]
  for (const name of ['back', 'forward', 'go', 'pushState', 'replaceState']) delete History.prototype[name]
  const { apply } = Reflect
  const stop = Event.prototype.stopImmediatePropagation
  const addListener = EventTarget.prototype.addEventListener
  const sourceOf = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'source').get
  let listen
  const hear = (event) => {
    if (apply(sourceOf, event, []) === self) return
    apply(stop, event, [])
    if (listen || origin === 'null' || event.origin !== origin || event.ports.length !== 1) return
    listen = new Function(event.data + ';return sandboxFrame')().start(event.ports[0])
  }
  const guard = () => {
    apply(addListener, self, ['message', hear, true])
    if (listen) listen()
  }
  for (const name of ['open', 'write', 'writeln']) {
    const original = Document.prototype[name]
    Document.prototype[name] = function (...texts) {
      try { return apply(original, this, name === 'open' ? [] : texts) } finally { guard() }
    }
  }
  guard()
}`
const BOOTSTRAP_HASH = 'sha256-GtCmVtn2MhmxUuET2DhKYmzqgOcg3istMeYzIv00kF8='

export interface SandboxPage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** The query of both pages for these origins. */
export function sandboxQuery(connect: readonly string[]): string {
  return connect.length === 0 ? '' : `?${new URLSearchParams({ connect: connect.join(',') }).toString()}`
}

/** The origins that a query names, or undefined if it names anything else. */
export function readSandboxQuery(search: string): readonly string[] | undefined {
  const query = new URLSearchParams(search)
  const given = query.getAll('connect')
  if (given.length > 1 || [...query.keys()].some((key) => key !== 'connect')) return undefined
  const origins = given[0] === undefined || given[0] === '' ? [] : given[0].split(',')
  const isFine = origins.length <= MOST_ORIGINS && new Set(origins).size === origins.length
  return isFine && origins.every((origin) => new RegExp(CONNECT_ORIGIN).test(origin)) ? origins : undefined
}

const SHARED_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-dns-prefetch-control': 'off',
}

export function sandboxHostPage(connect: readonly string[]): SandboxPage {
  // The query holds nothing that HTML would read as markup: it was made by URLSearchParams.
  const source = `${SANDBOX_FRAME_PATH}${sandboxQuery(connect)}`
  return {
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sandbox</title><style>${HOST_STYLE}</style></head><body><iframe title="Code" sandbox="allow-scripts" src="${source}"></iframe></body></html>\n`,
    headers: {
      ...SHARED_HEADERS,
      'content-security-policy': [
        "default-src 'none'",
        `style-src '${HOST_STYLE_HASH}'`,
        "frame-src 'self'",
        "frame-ancestors 'self'",
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; '),
    },
  }
}

export function sandboxFramePage(connect: readonly string[]): SandboxPage {
  return {
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sandbox</title></head><body><script>${BOOTSTRAP}</script></body></html>\n`,
    headers: {
      ...SHARED_HEADERS,
      'content-security-policy': [
        'sandbox allow-scripts',
        "default-src 'none'",
        `script-src 'unsafe-eval' '${BOOTSTRAP_HASH}'`,
        "style-src 'unsafe-inline'",
        'img-src data: blob:',
        `connect-src ${connect.length === 0 ? "'none'" : connect.join(' ')}`,
        "worker-src 'none'",
        "frame-src 'none'",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'self'",
      ].join('; '),
      // What the policy above leaves open: calls from browser to browser, names looked up and connections made ahead.
      'connection-allowlist': `(${connect.map((origin) => `"${origin}"`).join(' ')})`,
      'permissions-policy': DENIED.map((feature) => `${feature}=()`).join(', '),
    },
  }
}

const DENIED = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'clipboard-read',
  'clipboard-write',
  'compute-pressure',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'keyboard-map',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'otp-credentials',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'sync-xhr',
  'usb',
  'window-management',
  'xr-spatial-tracking',
]
