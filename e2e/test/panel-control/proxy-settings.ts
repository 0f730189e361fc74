import { freePort } from '@patchbay/testkit/ports'

/** Lets web views load pages of this machine through the proxy, on an origin of its own. */
export async function proxySettings(): Promise<Record<string, string>> {
  const port = await freePort()
  return {
    PATCHBAY_PROXY_URL: `http://localhost:${port}`,
    PATCHBAY_PROXY_PORT: String(port),
    PATCHBAY_OUTBOUND_NETWORKS: '127.0.0.0/8',
  }
}
