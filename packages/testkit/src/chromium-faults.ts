import type { BrowserContext } from 'playwright-core'

export interface FaultWatch {
  /** Everything noticed so far, expected or not. */
  faults(): readonly string[]
  /** Throws if something unexpected happened, or something expected did not. */
  assertNoFaults(): void
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/
const NO_NETWORK = new Set(['about:', 'blob:', 'chrome:', 'data:'])

/** Whether a request to this address stays on the machine. */
function staysOnLoopback(address: string): boolean {
  const url = new URL(address)
  return NO_NETWORK.has(url.protocol) || LOOPBACK.test(url.hostname)
}

/** Collects the faults of every page that the context opens. */
export async function watchFaults(context: BrowserContext, expected: readonly RegExp[]): Promise<FaultWatch> {
  const faults: string[] = []
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    faults.push(`console ${message.type()}: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (event) => {
    const error = event.error()
    faults.push(`uncaught: ${error.stack ?? error.message}`)
  })
  context.on('page', (page) => {
    page.on('crash', () => faults.push(`crash: ${page.url()}`))
    page.on('websocket', (socket) => {
      if (!staysOnLoopback(socket.url())) faults.push(`socket beyond loopback: ${socket.url()}`)
    })
  })
  // Only heard, not held: a route would lead every request of every page through this process, and turn the cache off.
  // The browser itself has no way there.
  context.on('request', (request) => {
    if (!staysOnLoopback(request.url())) faults.push(`request beyond loopback: ${request.url()}`)
  })
  // Reports the blocked directive by name; the browser's own console line says it in prose that changes.
  await context.addInitScript({
    content: `document.addEventListener('securitypolicyviolation', (violation) => {
      console.error('CSP violation: ' + violation.effectiveDirective + ' blocked ' + violation.blockedURI)
    })`,
  })
  return {
    faults: () => faults,
    assertNoFaults() {
      const unexpected = faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)))
      const missing = expected.filter((pattern) => !faults.some((fault) => pattern.test(fault)))
      const complaints = [
        ...unexpected,
        ...missing.map((pattern) => `expected, but did not happen: ${pattern}`),
      ]
      if (complaints.length > 0) throw new Error(`the page had faults:\n- ${complaints.join('\n- ')}`)
    },
  }
}
