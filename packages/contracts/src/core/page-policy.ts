/**
 * The Content-Security-Policy of every page we serve: our own files only, and no inline script or style. The server sends
 * it and the web app must live with it, so both take it from here.
 */
export const PAGE_CSP = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "object-src 'none'",
].join('; ')

/**
 * The policy of the page of a workspace. Panels show pages of the web, and models and workers that the page makes of
 * what it was given; scripts, styles and requests of its own come from here alone, as everywhere.
 */
export const WORKSPACE_CSP = [
  PAGE_CSP,
  "frame-src 'self' https: http:",
  "worker-src 'self' blob:",
  "media-src 'self' blob:",
].join('; ')

/** What the media panels of a workspace play from: each of these alone, and nothing else may come from there. */
const MEDIA_DIRECTIVES = /^(?:img-src|connect-src|media-src) /

/** The policy of the page of a workspace whose operator lets its panels play media from these origins. */
export function workspacePolicy(mediaOrigins: readonly string[]): string {
  return WORKSPACE_CSP.split('; ')
    .map((directive) =>
      MEDIA_DIRECTIVES.test(directive) ? [directive, ...mediaOrigins].join(' ') : directive,
    )
    .join('; ')
}

/**
 * The one script of ours that may compile code: the worker that reads STEP files with a library of WebAssembly, whose glue
 * makes functions of text as well. Its answer has a policy of its own, which the page that starts it does not get: no
 * connection, no storage of our origin where browsers honor `sandbox` in workers, and nothing but scripts of our own.
 */
export const STEP_WORKER_PATH = /^\/assets\/step-worker-[\w-]+\.js$/
export const STEP_WORKER_CSP = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'self' 'unsafe-eval'",
  "frame-ancestors 'none'",
].join('; ')

/** Where the documentation is. */
export const DOCS_PATH = '/docs/'

/**
 * The policy of the documentation: pages that were made before anybody asked for them, without a word of a stranger. Its
 * search is WebAssembly, and its generator writes the colors of code and the depth of headings as styles of elements.
 */
export const DOCS_CSP = PAGE_CSP.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'").replace(
  "style-src 'self'",
  "style-src 'self' 'unsafe-inline'",
)

/** What no page of ours asks a browser for, so that nothing that gets into one can either. */
export const PAGE_PERMISSIONS = [
  'accelerometer=()',
  'camera=()',
  'display-capture=()',
  'geolocation=()',
  'gyroscope=()',
  'hid=()',
  'idle-detection=()',
  'magnetometer=()',
  'microphone=()',
  'midi=()',
  'payment=()',
  'serial=()',
  'usb=()',
  'xr-spatial-tracking=()',
].join(', ')

/**
 * The page of a workspace shares the screen, for which Chromium asks the policy about the camera too, and connects boards on
 * serial ports; frames inside can do none of it.
 */
export const WORKSPACE_PERMISSIONS = PAGE_PERMISSIONS.replace(
  /(display-capture|camera|serial)=\(\)/g,
  '$1=(self)',
)

/** Which addresses are the page of a workspace. */
export const WORKSPACE_PAGE_PATH = /^\/workspaces\/[^/]+\/[^/]+\/?$/

/** The policy of the viewer's pages, but for who may show them in a frame: that is the operator's to say. */
export function viewerPolicy(framedBy: readonly string[]): string {
  return PAGE_CSP.replace("frame-ancestors 'none'", ["frame-ancestors 'self'", ...framedBy].join(' '))
}
