const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b|\bandroid\b/, 'Android'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bWindows\b|\bwin32\b/, 'Windows'],
  [/\bMac OS X\b|\bdarwin\b/, 'macOS'],
  [/\bLinux\b|\blinux\b|\bX11\b/, 'Linux'],
]

/** A program's own name: what stands before the first slash, where that is a plain word. */
const PROGRAM = /^([A-Za-z][A-Za-z0-9 ._-]{0,40})(?:\/|$)/

/** Kept, before its origin, in place of the user agent where a request names a page of another site. */
export const PAGE_AGENT = 'page '
const PAGE_ORIGIN = /^https?:\/\/[-a-zA-Z0-9.:[\]]{1,200}$/

/** Of the page of another site that asked, if the request named one. A program can name any. */
export function siteOf(userAgent: string): string | undefined {
  if (!userAgent.startsWith(PAGE_AGENT)) return undefined
  const origin = userAgent.slice(PAGE_AGENT.length)
  return PAGE_ORIGIN.test(origin) ? origin : 'an unknown site'
}

/** A user agent in words for people. It is what the program says of itself, and proves nothing. */
export function deviceOf(userAgent: string): string {
  const site = siteOf(userAgent)
  if (site !== undefined) return `Says it is a page of ${site}`
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1]
  const program = browser ?? PROGRAM.exec(userAgent)?.[1]?.trim()
  if (program === undefined || program === 'Mozilla') return system ?? 'An unknown program'
  return system === undefined ? program : `${program} on ${system}`
}
